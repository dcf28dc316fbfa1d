import type { ModelCall } from './call.ts'
import { partsOf, type RequestPart, type RequestShape } from './requestBody.ts'

/** What was learned is forgotten after an hour: a rejection may have been a one-off, and servers are updated. */
const TTL_MS = 60 * 60_000
const LOW_EFFORTS = ['none', 'minimal', 'low']
const LOW_EFFORT = 'low'
const MORE_ROOM = 2

/** What was learned about the server of one model, each with the time when it is forgotten. */
interface Learned {
  leftOut: Map<RequestPart, number>
  accepted: Map<RequestPart, number>
  outputLimit: { tokens: number; until: number } | undefined
  lowEffortUntil: number
  moreRoomUntil: number
}

/** Remembers for each model what its server refuses and accepts. */
export function createLearning(effort: string | undefined, now: () => Date) {
  const models = new Map<string, Learned>()
  const isFresh = (until: number | undefined) => until !== undefined && until > now().getTime()
  const until = () => now().getTime() + TTL_MS

  function of(model: string): Learned {
    const entry = models.get(model)
    if (entry) return entry
    const nothing = {
      leftOut: new Map(),
      accepted: new Map(),
      outputLimit: undefined,
      lowEffortUntil: 0,
      moreRoomUntil: 0,
    }
    models.set(model, nothing)
    return nothing
  }

  const freshParts = (parts: Map<RequestPart, number>) =>
    new Set([...parts].filter(([, until]) => isFresh(until)).map(([part]) => part))

  function shapeOf(call: ModelCall): RequestShape {
    const learned = of(call.model)
    const limit = isFresh(learned.outputLimit?.until) ? learned.outputLimit?.tokens : undefined
    const wanted = call.maxOutputTokens * (isFresh(learned.moreRoomUntil) ? MORE_ROOM : 1)
    return {
      leftOut: freshParts(learned.leftOut),
      maxOutputTokens: Math.min(wanted, limit ?? wanted),
      effort: isFresh(learned.lowEffortUntil) ? LOW_EFFORT : effort,
    }
  }

  return {
    shapeOf,
    leaveOut(model: string, parts: RequestPart[]): void {
      for (const part of parts) of(model).leftOut.set(part, until())
    },
    accept(call: ModelCall, shape: RequestShape): void {
      for (const part of partsOf(call, shape)) of(call.model).accepted.set(part, until())
    },
    acceptedBy: (model: string) => freshParts(of(model).accepted),
    /** `tokens` is undefined if there is no limit after all. */
    limitOutput(model: string, tokens: number | undefined): void {
      of(model).outputLimit = tokens === undefined ? undefined : { tokens, until: until() }
    },
    /**
     * Called when the model spent its output on reasoning. From now on, calls ask the model for less reasoning, or else
     * allow more output tokens. Several answers to calls of the same shape change this only once.
     */
    lessenReasoning(call: ModelCall, { effort: used, maxOutputTokens, leftOut }: RequestShape): void {
      const now = shapeOf(call)
      if (now.maxOutputTokens > maxOutputTokens || (now.effort !== used && !leftOut.has('effort'))) return
      const learned = of(call.model)
      if (leftOut.has('effort') || (used !== undefined && LOW_EFFORTS.includes(used))) learned.moreRoomUntil = until()
      else learned.lowEffortUntil = until()
    },
  }
}

export type Learning = ReturnType<typeof createLearning>
