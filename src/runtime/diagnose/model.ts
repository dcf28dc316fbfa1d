import { abortable } from '../../lib/abortable.ts'
import { REMEDIES } from '../../model/apiErrors.ts'
import { type AskModel, hasSchemaInPrompt, type ModelAnswer } from '../../model/call.ts'
import { ModelUnavailable, PromptRefused, WindowTooSmall } from '../../model/errors.ts'
import { findListed } from '../../model/listModels.ts'
import { createModel } from '../../model/model.ts'
import { parseAnswer } from '../../writer/parseAnswer.ts'
import { draftSchema } from '../../writer/prompts/answerSchemas.ts'
import type { Config, ModelConfig } from '../config/config.ts'
import type { Deep } from './check.ts'
import { type Finding, messageOf } from './finding.ts'
import { broken, checkFull, PART, windowTooSmall } from './modelWindow.ts'

/** The timeout of the short check: a reasoning model may think for long even about a short prompt. */
const SECONDS = 60
const QUESTION = `This is a test of the connection. Answer in the requested form, as briefly as possible: "ok" for every
text, an empty list for every list, null wherever it is allowed.`

/** Asks each configured model for an answer in the form of an article; if deep, also with a prompt of full length. */
export async function checkModel({ model }: Config, deep?: Deep): Promise<Finding[]> {
  if (!model) {
    const remedy = 'Set OPENAI_API_KEY (for a server without keys, to any value) and OPENAI_BASE_URL.'
    return [{ part: PART, state: 'advice', found: 'None: articles are outlines.', remedy }]
  }
  for (const name of deep ? model.names : []) deep?.announce(announcement(name, model))
  const findings = await Promise.all(
    model.names.map((name) => Promise.all([checkListed(model, name), checkAnswers(model, name, deep !== undefined)])),
  )
  return findings.flat(2)
}

function announcement(name: string, { tokensPerCall, prices: { [name]: price } }: ModelConfig): string {
  const cost = price
    ? `about ${((tokensPerCall * price.input) / 1_000_000).toFixed(4)} for its input, and little for the answer`
    : 'at its price of input'
  return `Sending ${name} a prompt of ${tokensPerCall} tokens (${cost}) …`
}

async function checkListed(config: ModelConfig, name: string): Promise<Finding[]> {
  const listed = await findListed(config, name)
  if (!listed) return []
  const remedy = 'Choose another OPENAI_MODEL (or OPENAI_FALLBACK_MODEL).'
  const { isListed, shutdownDate } = listed
  if (!isListed)
    return [{ part: PART, state: 'advice', found: `${name} is not in the list of the server's models.`, remedy }]
  return shutdownDate
    ? [{ part: PART, state: 'advice', found: `${name} is switched off on ${shutdownDate}.`, remedy }]
    : []
}

async function checkAnswers(config: ModelConfig, name: string, isDeep: boolean): Promise<Finding[]> {
  const { ask, close } = createModel(config, { answered: () => {}, failed: () => {} })
  try {
    return await abortable({ milliseconds: config.secondsPerCall * 1000 }, async (signal) => {
      const findings = await checkShort(ask, config, name, signal)
      const isUsable = findings.every(({ state }) => state !== 'broken')
      if (!isUsable) return findings
      return [...findings, isDeep ? await checkFull(ask, config, name, signal) : deepAdvice(config)]
    })
  } catch (error) {
    return [failure(name, error)]
  } finally {
    await close()
  }
}

function deepAdvice({ tokensPerCall }: ModelConfig): Finding {
  const message = `Not tried: whether prompts of ${tokensPerCall} tokens arrive whole.`
  return {
    part: PART,
    state: 'advice',
    found: message,
    remedy: 'Run the check with --check=deep. It costs such a prompt.',
  }
}

/** Sends a short question with the schema and the limit of output tokens of an article. */
async function checkShort(ask: AskModel, config: ModelConfig, name: string, signal: AbortSignal): Promise<Finding[]> {
  const started = performance.now()
  const call = {
    model: name,
    messages: [
      { role: 'system' as const, content: QUESTION },
      { role: 'user' as const, content: 'Answer now.' },
    ],
    schema: draftSchema,
    promptTokens: 100,
    maxOutputTokens: config.outputTokensPerCall,
    seconds: Math.min(SECONDS, config.secondsPerCall),
    signal,
  }
  let answer = await ask(call)
  if (isBlank(answer)) answer = await ask({ ...call, blank: answer.shape })
  if (parseAnswer(answer, draftSchema).isMisfit && !hasSchemaInPrompt(answer))
    answer = await ask({ ...call, schemaInPrompt: true })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const parsed = parseAnswer(answer, draftSchema)
  if (isBlank(answer))
    return [
      broken(
        `${name} spends all ${answer.shape.maxOutputTokens} output tokens on reasoning.`,
        'Set OPENAI_REASONING_EFFORT to low, or raise MODEL_OUTPUT_TOKENS.',
      ),
    ]
  if (parsed.reason !== undefined)
    return [
      broken(
        `${name} answers, but not in the form of an article: ${parsed.reason}`,
        'Choose a model that can answer by a JSON schema.',
      ),
    ]
  const works = worksOf(answer, config).map(([part, isWorking]) => `${part} ${isWorking ? 'yes' : 'no'}`)
  const ok: Finding = { part: PART, state: 'ok', found: `${name} answers, in ${seconds} s: ${works.join(', ')}.` }
  return [ok, ...adviceOn(answer, config)]
}

function isBlank({ content, cutOff }: ModelAnswer): boolean {
  return cutOff && content.trim() === ''
}

function worksOf(answer: ModelAnswer, { reasoningEffort }: ModelConfig): [string, boolean][] {
  const { leftOut } = answer.shape
  return [
    ['strict schema', !leftOut.has('schema') && !leftOut.has('strict')],
    ['streaming', !leftOut.has('stream')],
    ['token counts', answer.inputTokens > 0],
    ...(reasoningEffort === undefined ? [] : [['effort', !leftOut.has('effort')] satisfies [string, boolean]]),
  ]
}

function adviceOn(answer: ModelAnswer, { outputTokensPerCall, reasoningEffort }: ModelConfig): Finding[] {
  const { shape } = answer
  const advice: [boolean, string, string][] = [
    [
      hasSchemaInPrompt(answer),
      'The server does not apply JSON schemas: they are sent in the prompt.',
      'Nothing is wrong, but a server that applies them makes fewer errors.',
    ],
    [
      answer.inputTokens === 0,
      'The server counts no tokens: budgets rely on our own count.',
      'Check with --check=deep that prompts arrive whole: nothing else would tell.',
    ],
    [
      shape.maxOutputTokens < outputTokensPerCall,
      `The server writes at most ${shape.maxOutputTokens} tokens.`,
      `Set MODEL_OUTPUT_TOKENS to ${shape.maxOutputTokens}.`,
    ],
    [
      reasoningEffort !== undefined && shape.leftOut.has('effort'),
      'The server does not accept OPENAI_REASONING_EFFORT.',
      'Remove the variable, or correct its value.',
    ],
  ]
  return advice.flatMap(([applies, message, remedy]) =>
    applies ? [{ part: PART, state: 'advice', found: message, remedy }] : [],
  )
}

function failure(name: string, error: unknown): Finding {
  if (error instanceof WindowTooSmall) return windowTooSmall(name, error)
  if (error instanceof PromptRefused)
    return broken(`${name} rejects every form of request: ${error.message}`, 'Choose another model or server.')
  const status = error instanceof ModelUnavailable ? error.status : undefined
  return broken(`${name}: ${messageOf(error)}`, remedyFor(status))
}

function remedyFor(status: number | undefined): string {
  if (status === 429) return "Raise the quota of the account at the model's provider."
  const remedy = status === undefined ? undefined : REMEDIES[status]
  return remedy
    ? `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`
    : 'Check OPENAI_BASE_URL, OPENAI_MODEL and the network.'
}
