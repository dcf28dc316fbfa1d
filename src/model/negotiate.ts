import { APIError } from 'openai'
import { unavailable } from './apiErrors.ts'
import { type ModelAnswer, type ModelCall, NO_USAGE } from './call.ts'
import { PromptRefused, WindowTooSmall } from './errors.ts'
import type { Learning } from './learned.ts'
import { readRefusal } from './readRefusal.ts'
import { partsOf, type RequestPart, type RequestShape } from './requestBody.ts'

/** The parts to leave out, one step after the other, if a server rejects a request without naming a part. */
const STEPS: RequestPart[][] = [
  ['schema', 'json'],
  ['effort', 'tier', 'usage', 'stream', 'completionTokens'],
  ['store'],
]
const OUTPUT_LIMITS: RequestPart[] = ['completionTokens', 'maxTokens']
/** An article needs about this many output tokens. */
const MIN_OUTPUT_TOKENS = 4000
/** No model has a lower output limit: a lower number in a server's message means something else. */
const LEAST_LIMIT = 256

/**
 * Sends a call, and sends it again without the parts that its server rejects. A part that is rejected by name is left
 * out for an hour, and nothing else with it. A rejection that names no part costs at most three more attempts, each
 * leaving out one step more; only the step that helped is remembered. Nothing is learned from a call that fails in the
 * end, because its prompt may be at fault.
 */
export async function negotiate(
  call: ModelCall,
  learning: Learning,
  send: (shape: RequestShape) => Promise<ModelAnswer | APIError>,
): Promise<ModelAnswer> {
  if (call.schemaInPrompt) learning.leaveOut(call.model, ['schema'])
  if (call.blank) learning.lessenReasoning(call, call.blank)
  const accepted = learning.acceptedBy(call.model)
  const named: RequestPart[] = []
  let guessed: RequestPart[] = []
  const steps = STEPS.values()
  let shape = learning.shapeOf(call)
  for (;;) {
    const outcome = await send(shape)
    if (!(outcome instanceof APIError)) {
      learning.accept(call, shape)
      learning.leaveOut(call.model, [...named, ...guessed.filter((part) => !accepted.has(part))])
      return outcome
    }
    const refusal = readRefusal(outcome, partsOf(call, shape))
    if (refusal.kind === 'prompt') throw new PromptRefused(saidBy(outcome))
    if (refusal.kind === 'spent') return blankAnswer(shape)
    if (refusal.kind === 'too long') shape = withinWindow(call, shape, refusal)
    else if (refusal.kind === 'output limit') shape = withLowerLimit(call, shape, refusal.tokens, learning)
    else if (refusal.kind === 'part') {
      named.push(refusal.part)
      shape = without(shape, [refusal.part])
      if (refusal.part === 'effort' && call.blank) shape = withMoreRoom(call, shape, learning)
    } else {
      const step = nextStep(steps, partsOf(call, shape), accepted)
      if (!step) throw outcome.status === 404 ? unavailable(outcome) : new PromptRefused(saidBy(outcome))
      guessed = step
      shape = without(shape, step)
    }
  }
}

/**
 * The next parts to leave out. A format that was accepted before may still fail for one schema; other accepted parts
 * are not at fault.
 */
function nextStep(
  steps: Iterator<RequestPart[]>,
  parts: RequestPart[],
  accepted: ReadonlySet<RequestPart>,
): RequestPart[] | undefined {
  for (let next = steps.next(); !next.done; next = steps.next()) {
    const step = next.value.includes('schema') ? next.value : next.value.filter((part) => !accepted.has(part))
    if (step.some((part) => parts.includes(part))) return step
  }
  return undefined
}

function without(shape: RequestShape, parts: RequestPart[]): RequestShape {
  return { ...shape, leftOut: new Set([...shape.leftOut, ...parts]) }
}

/** The status and code of an error, without the message of the server, which may quote the prompt. */
function saidBy({ status, code }: APIError): string {
  return `The model answered ${status}${/^[a-z_]{1,40}$/.test(code ?? '') ? ` (${code})` : ''}.`
}

/**
 * Replaces the error of a server that says that all output tokens are spent: other servers send such an empty answer.
 */
function blankAnswer(shape: RequestShape): ModelAnswer {
  return { content: '', refusal: null, cutOff: true, shape, ...NO_USAGE }
}

function withMoreRoom(call: ModelCall, shape: RequestShape, learning: Learning): RequestShape {
  learning.lessenReasoning(call, shape)
  return { ...shape, maxOutputTokens: learning.shapeOf(call).maxOutputTokens }
}

/**
 * Limits the answer to the tokens that the window has left, or to half of the previous limit, because many servers do
 * not say how long the prompt is. This applies to this call only, because it depends on the prompt.
 */
function withinWindow(
  { promptTokens }: ModelCall,
  shape: RequestShape,
  { windowTokens, inputTokens }: { windowTokens: number | undefined; inputTokens: number | undefined },
): RequestShape {
  const left = (windowTokens ?? 0) - (inputTokens ?? promptTokens)
  const { maxOutputTokens } = shape
  if (left < MIN_OUTPUT_TOKENS || maxOutputTokens <= MIN_OUTPUT_TOKENS)
    throw new WindowTooSmall(promptTokens, windowTokens)
  const isClearlyLess = left < 0.9 * maxOutputTokens
  return { ...shape, maxOutputTokens: isClearlyLess ? left : halfOf(maxOutputTokens) }
}

function withLowerLimit(
  call: ModelCall,
  shape: RequestShape,
  named: number | undefined,
  learning: Learning,
): RequestShape {
  const { maxOutputTokens } = shape
  const isUsable = named !== undefined && named >= LEAST_LIMIT && named < maxOutputTokens
  if (!isUsable && maxOutputTokens <= MIN_OUTPUT_TOKENS) {
    learning.leaveOut(call.model, OUTPUT_LIMITS)
    learning.limitOutput(call.model, undefined)
    return { ...without(shape, OUTPUT_LIMITS), maxOutputTokens: call.maxOutputTokens }
  }
  const tokens = isUsable ? named : halfOf(maxOutputTokens)
  learning.limitOutput(call.model, tokens)
  return { ...shape, maxOutputTokens: tokens }
}

function halfOf(tokens: number): number {
  return Math.max(MIN_OUTPUT_TOKENS, Math.floor(tokens / 2))
}
