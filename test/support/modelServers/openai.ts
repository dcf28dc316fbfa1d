import { prefixCache } from './prefixCache.ts'
import { outputTokensOf, type Reply, type Rule, refusal, type ServerRequest, strictSchemaOf, textOf } from './rule.ts'
import { refusesValue } from './single.ts'
import { strictSchemaFault } from './strictSchema.ts'

/** Tokens of reasoning by effort. Real models vary; these are typical of a long prompt. */
const REASONING_TOKENS: Record<string, number> = {
  none: 0,
  minimal: 64,
  low: 512,
  medium: 2500,
  high: 8000,
  max: 24_000,
}
const DEFAULT_EFFORT = 'medium'
const MAX_OUTPUT_TOKENS = 128_000
const TIERS = ['auto', 'default', 'flex', 'priority', 'fast', 'scale']
const PARAMETERS = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'response_format', 'max_completion_tokens', 'temperature'],
  ...['reasoning_effort', 'service_tier', 'store', 'metadata', 'prompt_cache_key', 'safety_identifier', 'verbosity'],
  ...['n', 'seed', 'stop', 'top_p', 'user'],
])

/** OpenAI's reasoning models: the server checks all parameters of a request, and reasoning uses up output tokens. */
export function openAi(): Rule[] {
  return [{ refuse: refuseRequest }, refusesValue(MAX_OUTPUT_TOKENS), { reply: withReasoning }, prefixCache()]
}

function refuseRequest(request: ServerRequest) {
  const { temperature, reasoning_effort: effort, service_tier: tier, messages, response_format: format } = request
  if ('max_tokens' in request)
    return refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    )
  const unknown = Object.keys(request).find((name) => !PARAMETERS.has(name))
  if (unknown) return refusal(`Unknown parameter: '${unknown}'.`, { param: unknown, code: 'unknown_parameter' })
  if (temperature !== undefined && temperature !== 1)
    return refusal(
      `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
      { param: 'temperature', code: 'unsupported_value' },
    )
  if (effort !== undefined && !(effort in REASONING_TOKENS))
    return refusalOfValue('reasoning_effort', effort, Object.keys(REASONING_TOKENS))
  if (tier !== undefined && !TIERS.includes(tier)) return refusalOfValue('service_tier', tier, TIERS)
  if (request.stream_options && !request.stream)
    return refusal("The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: 'stream_options',
    })
  if (format?.type === 'json_object' && !/json/i.test(textOf(messages)))
    return refusal(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: 'messages' },
    )
  return refusalOfSchema(request)
}

function refusalOfValue(param: string, value: string, supported: string[]) {
  const names = supported.map((name) => `'${name}'`).join(', ')
  return refusal(`Invalid value: '${value}'. Supported values are: ${names}.`, { param, code: 'invalid_value' })
}

function refusalOfSchema(request: ServerRequest) {
  const schema = strictSchemaOf(request)
  const { strict, name = '' } = request.response_format?.json_schema ?? {}
  const fault = schema && strict ? strictSchemaFault(schema) : undefined
  if (!fault) return undefined
  return refusal(`Invalid schema for response_format '${name}': ${fault}`, {
    param: 'response_format',
    code: 'invalid_json_schema',
  })
}

/** Cuts the text to the output tokens that reasoning leaves. */
function withReasoning(reply: Reply, { request }: { request: ServerRequest }): Reply {
  const { usage, content } = reply
  if (!usage) return reply
  const room = outputTokensOf(request)
  const reasoning = Math.min(room, REASONING_TOKENS[request.reasoning_effort ?? DEFAULT_EFFORT] ?? 0)
  const textTokens = Math.min(usage.completion_tokens, room - reasoning)
  const isCutOff = textTokens < usage.completion_tokens
  const characters = Math.floor(((content ?? '').length * textTokens) / Math.max(1, usage.completion_tokens))
  const completionTokens = reasoning + textTokens
  return {
    ...reply,
    ...(isCutOff && { content: (content ?? '').slice(0, characters), finish: 'length' }),
    usage: {
      ...usage,
      completion_tokens: completionTokens,
      total_tokens: usage.prompt_tokens + completionTokens,
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  }
}
