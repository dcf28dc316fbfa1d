import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AskModel } from '../../src/model/call.ts'
import { ModelUnavailable } from '../../src/model/errors.ts'
import type { ModelConfig } from '../../src/runtime/config/config.ts'
import { tokenCounter } from '../../src/writer/reading/tokens.ts'
import { ScriptError } from '../demo/scriptError.ts'
import { type Comparison, judgePrompt, VERDICT_SCHEMA } from './judgePrompt.ts'
import type { Verdict } from './verdict.ts'

export type Judge = (comparison: Comparison) => Promise<Verdict>

const MAX_OUTPUT_TOKENS = 16_000
const ATTEMPTS = 3
const PAUSE_SECONDS = 1
const MAX_PAUSE_SECONDS = 60

/** Returns a function that asks the model for a verdict, and again if it fails or answers in another form. */
export function createJudge(ask: AskModel, { names, tokensPerCall }: ModelConfig, signal: AbortSignal): Judge {
  const isVerdict = new Ajv2020({ strict: false }).compile<Verdict>(VERDICT_SCHEMA)
  const [model = ''] = names
  return async (comparison) => {
    const count = await tokenCounter()
    const messages = judgePrompt(comparison, tokensPerCall, count)
    const promptTokens = messages.reduce((sum, { content }) => sum + count(content), 0)
    for (let attempt = 1; ; attempt++) {
      try {
        const question = { model, messages, schema: VERDICT_SCHEMA, promptTokens, maxOutputTokens: MAX_OUTPUT_TOKENS }
        const verdict = parsed((await ask({ ...question, signal })).content)
        if (isVerdict(verdict)) return verdict
        if (attempt === ATTEMPTS) throw new ScriptError('The model gave no verdict in the requested form.')
      } catch (error) {
        const mayPass = error instanceof ModelUnavailable && error.passing
        if (!mayPass || attempt === ATTEMPTS) throw error
        await sleep(1000 * Math.min(error.retryAfter ?? PAUSE_SECONDS, MAX_PAUSE_SECONDS), undefined, { signal })
      }
    }
  }
}

/** Some models wrap the JSON in a code fence. */
function parsed(content: string): unknown {
  try {
    return JSON.parse(content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}
