import type { APIError } from 'openai'
import { clip } from '../lib/clip.ts'
import type { RequestPart } from './requestBody.ts'

/** What a server rejects about a request. */
export type Refusal =
  | { kind: 'prompt' }
  /** The model spent all its output tokens without a text. */
  | { kind: 'spent' }
  | { kind: 'too long'; windowTokens: number | undefined; inputTokens: number | undefined }
  /** `tokens` is the highest output limit that the server accepts, if it says so. */
  | { kind: 'output limit'; tokens: number | undefined }
  | { kind: 'part'; part: RequestPart }
  | { kind: 'unnamed' }

const MAX_READ_CHARACTERS = 2000
const FLAGGED =
  /content[_ ]filter|content_?policy_?violation|content_policy|content management policy|content exists risk|high risk|invalid_prompt|flagged|usage polic|data_inspection|(?<!\/)moderation/i
const TOO_LONG =
  /context_length_exceeded|exceed_context_size|context (?:length|size|window|limit)|(?:prompt|input|request) is too long|(?:prompt|input) length|model token limit|max_seq_len|max_new_tokens|token count .{0,40}exceeds the maximum/i
const SPENT = /could not finish the message/i
const OUTPUT_LIMIT = /max_completion_tokens|max_tokens|maxOutputTokens/i
/** Messages saying that the value is wrong, not the parameter. */
const WRONG_VALUE =
  /invalid (?:\w+ )?value|valid range|too (?:large|high|big)|at most|exceed|maximum|range|between|less than|greater than|out of range|<=|>/i
const UNKNOWN_NAME = /unsupported parameter|unrecognized|unknown|not permitted|extra_forbidden|not supported/i

const NAMES: [RegExp, RequestPart[]][] = [
  // The path of `strict` begins like the name of the whole format, so this pattern comes first.
  [/(?:response_format\W{1,6})?(?:json_schema\W{1,6})?\bstrict\b/i, ['strict']],
  [/stream_options|include_usage/i, ['usage']],
  [/service_?tier/i, ['tier']],
  [/reasoning_?effort/i, ['effort']],
  [/max_completion_tokens/i, ['completionTokens']],
  [/max_tokens/i, ['maxTokens']],
  [/response_format|json_schema|json_object|\bschemas?\b|grammar|structured output/i, ['schema', 'json']],
  // `store` and `stream` are common words in other sentences too.
  [parameter('store'), ['store']],
  [parameter('stream(?:ing)?'), ['stream']],
]

/** Matches the name of a parameter in quotes, as part of a path, or near words such as "not supported". */
function parameter(name: string): RegExp {
  const refused = 'unsupported|not supported|unrecognized|unknown|not permitted|extra|not allowed|unexpected'
  return new RegExp(
    String.raw`["'\`.]${name}["'\`\]]|^${name}$|\b${name}\b[^.]{0,60}(?:${refused})|(?:${refused})[^.]{0,60}\b${name}\b`,
    'i',
  )
}

/** Reads an error of a server about a request that holds these parts. */
export function readRefusal(refused: APIError, parts: RequestPart[]): Refusal {
  const { status, code, type, param } = refused
  const { raw, window } = detailsOf(refused)
  const text = clip(`${refused.message} ${raw}`, MAX_READ_CHARACTERS).text
  const kinds = `${code ?? ''} ${type ?? ''}`
  if (FLAGGED.test(`${kinds} ${text}`) || status === 403) return { kind: 'prompt' }
  if (SPENT.test(text)) return { kind: 'spent' }
  if (status === 413 || TOO_LONG.test(`${kinds} ${text}`))
    return { kind: 'too long', windowTokens: windowIn(text) ?? window, inputTokens: inputIn(text) }
  if (isOutputLimit(`${param ?? ''} ${text}`, parts)) return { kind: 'output limit', tokens: highestIn(text) }
  // A router answers 404 if it has no endpoint for the format, without naming a parameter.
  const part = namedIn(param, parts) ?? namedIn(text, parts) ?? (status === 404 ? formatIn(parts) : undefined)
  return part ? { kind: 'part', part } : { kind: 'unnamed' }
}

/** Whether an error says that the prompt itself is rejected, in whatever form it is sent. */
export function isAboutPrompt(error: APIError): boolean {
  return ['prompt', 'too long'].includes(readRefusal(error, []).kind)
}

/**
 * The details that some servers add to the message: routers add the error of the model's provider, llama.cpp adds the
 * window.
 */
function detailsOf({ error }: APIError): { raw: string; window: number | undefined } {
  const { metadata, n_ctx: window } = (error ?? {}) as { metadata?: { raw?: unknown } | null; n_ctx?: unknown }
  const raw = metadata?.raw
  return { raw: typeof raw === 'string' ? raw : '', window: typeof window === 'number' ? window : undefined }
}

function isOutputLimit(text: string, parts: RequestPart[]): boolean {
  const isLimited = parts.includes('completionTokens') || parts.includes('maxTokens')
  return isLimited && OUTPUT_LIMIT.test(text) && WRONG_VALUE.test(text) && !UNKNOWN_NAME.test(text)
}

/** The part of the request that a text names first. Messages often go on to name what to use instead. */
function namedIn(text: unknown, parts: RequestPart[]): RequestPart | undefined {
  if (typeof text !== 'string') return undefined
  const named = NAMES.flatMap(([name, candidates]) => {
    const part = candidates.find((candidate) => parts.includes(candidate))
    const at = part === undefined ? -1 : text.search(name)
    return part === undefined || at === -1 ? [] : [{ part, at }]
  })
  return named.toSorted((a, b) => a.at - b.at)[0]?.part
}

function formatIn(parts: RequestPart[]): RequestPart | undefined {
  return parts.find((part) => part === 'schema' || part === 'json')
}

/** A number that is not part of a name, such as that of a model. */
const NUMBER = String.raw`(?<![\w.-])(\d[\d,]{0,11})(?![\w-])`
const HIGHEST = anyOf(
  String.raw`(?:at most|less than or equal to|greater than|up to|<=|>|maximum)[^\n]{0,60}?${NUMBER}`,
  String.raw`\[\d{1,3}, ?${NUMBER}\]`,
  String.raw`(?:between|from) \d{1,3}(?: \(inclusive\))? (?:and|to) ${NUMBER}`,
)
const WINDOW = anyOf(
  `${NUMBER} maximum`,
  String.raw`context limit: \d{1,9} \+ \d{1,9} > ${NUMBER}`,
  String.raw`(?:model token limit:|input length should be \[\d{1,3},) ?${NUMBER}`,
  String.raw`(?:context (?:length|size|window)|prompt length|maximum number of tokens|max_seq_len|max_new_tokens)[^\d.]{0,40}${NUMBER}`,
)
const INPUT = anyOf(
  `(?<!at least )${NUMBER} (?:in the messages|input tokens|tokens from the input)`,
  String.raw`(?:resulted in|request \(|request contains|context limit:|too long:|token count \(|prompt_tokens \(|Given:)[ ]?${NUMBER}`,
)

function anyOf(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i')
}

function highestIn(text: string): number | undefined {
  return firstNumber(HIGHEST.exec(text))
}

function windowIn(text: string): number | undefined {
  return firstNumber(WINDOW.exec(text))
}

function inputIn(text: string): number | undefined {
  return firstNumber(INPUT.exec(text))
}

function firstNumber(match: RegExpExecArray | null): number | undefined {
  const digits = match?.slice(1).find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}
