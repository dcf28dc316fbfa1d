import { ConfigError } from '../src/runtime/config/config.ts'
import { environment } from '../src/runtime/config/environment.ts'
import { lineOf, ScriptError } from './demo/scriptError.ts'
import { evaluate } from './eval/evaluate.ts'

/** Writes articles with the configured model, measures them, and compares them with those of an earlier run. */
const INTERRUPTED = 130

const stopping = new AbortController()
const { signal } = stopping
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
process.exitCode = await evaluate({ args: process.argv.slice(2), env: environment(), signal }).catch((error) => {
  if (signal.aborted) return INTERRUPTED
  const isExplained = error instanceof ScriptError || error instanceof ConfigError
  console.error(isExplained ? error.message : lineOf(error))
  return 1
})
