import { APIError } from 'openai'
import { unavailable } from './apiErrors.ts'
import type { ModelAnswer, ModelCall } from './call.ts'
import { PromptRefused, WindowTooSmall } from './errors.ts'
import type { Learning } from './learned.ts'
import { readRefusal } from './readRefusal.ts'
import { type Part, partsOf, type RequestShape } from './requestBody.ts'

/** Left out one step after the other if a server rejects a request without naming a part. */
const STEPS: Part[][] = [
  ['store', 'effort', 'tier', 'usage'],
  ['schema', 'json'],
  ['stream', 'completionTokens'],
]
const OUTPUT_LIMITS: Part[] = ['completionTokens', 'maxTokens']
/** An article needs about this many output tokens. */
const MIN_OUTPUT_TOKENS = 4000

/**
 * Sends a call, and again without what its server rejects. A part that is rejected by name is left out for an hour, and
 * nothing else with it. A rejection that names nothing costs at most three more attempts, each leaving out one step more.
 */
export async function negotiate(
  call: ModelCall,
  learning: Learning,
  send: (shape: RequestShape) => Promise<ModelAnswer | APIError>,
): Promise<ModelAnswer> {
  if (call.schemaInPrompt) learning.leaveOut(call.model, ['schema'])
  if (call.lessReasoning) learning.lessenReasoning(call)
  const accepted = learning.acceptedBy(call.model)
  const guessed: Part[] = []
  const steps = STEPS.values()
  let shape = learning.shapeOf(call)
  for (;;) {
    const outcome = await send(shape)
    if (!(outcome instanceof APIError)) {
      learning.accept(call, shape)
      learning.leaveOut(
        call.model,
        guessed.filter((part) => !accepted.has(part)),
      )
      return outcome
    }
    const refusal = readRefusal(outcome, partsOf(call, shape))
    if (refusal.kind === 'prompt') throw new PromptRefused(`The model answered ${outcome.status}.`)
    if (refusal.kind === 'too long') shape = withinWindow(call, shape, refusal)
    else if (refusal.kind === 'output limit') shape = withLowerLimit(call, shape, refusal.tokens, learning)
    else if (refusal.kind === 'part') {
      learning.leaveOut(call.model, [refusal.part])
      if (refusal.part === 'effort' && call.lessReasoning) learning.lessenReasoning(call)
      shape = without({ ...learning.shapeOf(call), leftOut: shape.leftOut }, [refusal.part])
    } else {
      const step = nextStep(steps, partsOf(call, shape), accepted)
      if (!step)
        throw outcome.status === 404 ? unavailable(outcome) : new PromptRefused(`The model answered ${outcome.status}.`)
      guessed.push(...step)
      shape = without(shape, step)
    }
  }
}

/** The next parts to leave out. A format may fail for one schema only, other parts that were accepted are not at fault. */
function nextStep(steps: Iterator<Part[]>, parts: Part[], accepted: ReadonlySet<Part>): Part[] | undefined {
  for (let next = steps.next(); !next.done; next = steps.next()) {
    const step = next.value.includes('schema') ? next.value : next.value.filter((part) => !accepted.has(part))
    if (step.some((part) => parts.includes(part))) return step
  }
  return undefined
}

function without(shape: RequestShape, parts: Part[]): RequestShape {
  return { ...shape, leftOut: new Set([...shape.leftOut, ...parts]) }
}

/** Gives the answer what the window has left. Only for this call, because it depends on the prompt. */
function withinWindow(
  { promptTokens }: ModelCall,
  shape: RequestShape,
  { windowTokens, inputTokens }: { windowTokens: number | undefined; inputTokens: number | undefined },
): RequestShape {
  const left = (windowTokens ?? 0) - (inputTokens ?? promptTokens)
  if (left < MIN_OUTPUT_TOKENS || left >= shape.maxOutputTokens) throw new WindowTooSmall(promptTokens, windowTokens)
  return { ...shape, maxOutputTokens: left }
}

function withLowerLimit(
  { model }: ModelCall,
  shape: RequestShape,
  named: number | undefined,
  learning: Learning,
): RequestShape {
  const { maxOutputTokens } = shape
  const isUsable = named !== undefined && named > 0 && named < maxOutputTokens
  if (!isUsable && maxOutputTokens <= MIN_OUTPUT_TOKENS) {
    learning.leaveOut(model, OUTPUT_LIMITS)
    return without(shape, OUTPUT_LIMITS)
  }
  const tokens = isUsable ? named : Math.max(MIN_OUTPUT_TOKENS, Math.floor(maxOutputTokens / 2))
  learning.limitOutput(model, tokens)
  return { ...shape, maxOutputTokens: tokens }
}
