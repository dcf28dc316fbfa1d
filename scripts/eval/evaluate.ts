import { readConfig } from '../../src/runtime/config/config.ts'
import { ScriptError } from '../demo/scriptError.ts'
import { compareRuns } from './compareRuns.ts'
import { readOptions, USAGE } from './options.ts'
import { readRun } from './runFolder.ts'
import { type StartService, writeRun } from './writeRun.ts'

interface Evaluation {
  args: string[]
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  start?: StartService
}

/** Writes articles, measures them, and compares them with those of an earlier run. Returns the exit code. */
export async function evaluate({ args, env, signal, start }: Evaluation): Promise<number> {
  const options = readOptions(args)
  if (!options) {
    console.log(USAGE)
    return 0
  }
  const config = readConfig(env, { encrypts: false })
  const { model } = config
  if (!model) throw new ScriptError('OPENAI_API_KEY is not set: there is no model to write articles or to judge them.')
  // Fails for a wrong folder before any article is paid for.
  if (options.against !== undefined) await readRun(options.against)

  const written =
    options.judge === undefined
      ? await writeRun({ options, config, model, signal, ...(start && { start }) })
      : undefined
  const folder = written?.folder ?? options.judge ?? ''
  let failures = written?.failures ?? 0
  if (options.against !== undefined)
    failures += await compareRuns({ newer: folder, older: options.against, model, atOnce: options.atOnce, signal })
  console.log(`\nResults: ${folder}`)
  return failures === 0 ? 0 : 1
}
