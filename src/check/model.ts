import type { Config, ModelConfig } from '../config/config.ts'
import { ModelUnavailable } from '../model/errors.ts'
import { createModel } from '../model/model.ts'
import { type Finding, messageOf } from './finding.ts'

const MAX_OUTPUT_TOKENS = 2000
const SECONDS = 30
const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
}

const REMEDIES: Record<number, string> = {
  401: 'Correct OPENAI_API_KEY.',
  403: 'Correct OPENAI_API_KEY, or allow it to use this model.',
  404: 'Correct OPENAI_MODEL (or OPENAI_FALLBACK_MODEL) and the path of OPENAI_BASE_URL.',
  429: "Raise the quota of the account at the model's provider.",
}

/** Asks each configured model for a few tokens. */
export async function checkModel({ model }: Config): Promise<Finding[]> {
  if (!model) {
    const remedy = 'Set OPENAI_API_KEY (for a server without keys, to any value) and OPENAI_BASE_URL.'
    return [{ part: 'model', state: 'advice', found: 'None: articles are outlines.', remedy }]
  }
  return Promise.all(model.names.map((name) => askOnce(model, name)))
}

async function askOnce(config: ModelConfig, name: string): Promise<Finding> {
  const part = 'model'
  const secondsPerCall = Math.min(SECONDS, config.secondsPerCall)
  const model = createModel({ ...config, secondsPerCall }, { answered: () => {}, failed: () => {} })
  const started = performance.now()
  try {
    const { content } = await model.ask({
      model: name,
      messages: [{ role: 'user', content: 'Answer with the JSON object {"ok":true}.' }],
      schema: SCHEMA,
      promptTokens: 20,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      signal: AbortSignal.timeout(SECONDS * 1000),
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    if (!isJson(content)) {
      const remedy = 'Choose a model that can answer in JSON.'
      return { part, state: 'broken', found: `${name} answers, but not in JSON.`, remedy }
    }
    return { part, state: 'ok', found: `${name} answers, in ${seconds} s.` }
  } catch (error) {
    const status = error instanceof ModelUnavailable ? error.status : undefined
    const remedy = (status && REMEDIES[status]) || 'Check OPENAI_BASE_URL, OPENAI_MODEL and the network.'
    return { part, state: 'broken', found: `${name}: ${messageOf(error)}`, remedy }
  } finally {
    await model.close()
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
