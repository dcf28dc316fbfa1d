import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import { findLive } from '../../db/accounts/sessions.ts'
import { findJobStates } from '../../db/articles/articleJobs.ts'
import type { Schema } from '../../db/schema/schema.ts'

const POLL_MS = 250

type State = Awaited<ReturnType<typeof findJobStates>>[number]

interface Wait {
  milliseconds: number
  /** The wait ends when this session ends, on any node. */
  sessionId?: string
  /** Aborted when the client has disconnected. */
  left?: AbortSignal
}

/** Polls job states for all waiting requests of this node: one query for all, and only while some wait. */
export interface JobWatch {
  /** The job's state once it has ended; undefined if the wait or the server ends before. */
  ended(id: string, wait: Wait): Promise<State | undefined>
  /** Resolves when the job differs from `seen` (see `shownStateOf`) or the wait ends. */
  changed(id: string, seen: string, wait: Wait): Promise<void>
  /** Polls at once, because this node has changed a job. */
  pollNow(): void
  endAllWaits(): void
  readonly closing: boolean
}

/** Identifies the visible state of a job, to detect changes. */
export function shownStateOf({ status, stage, progress }: Pick<State, 'status' | 'stage' | 'progress'>): string {
  return `${status} ${stage} ${progress}`
}

interface Watcher {
  id: string
  sessionId: string | undefined
  see(state: State): void
  leave(): void
}

export function watchJobs(db: Kysely<Schema>, now: () => Date, onError: (error: Error) => void): JobWatch {
  const watchers = new Set<Watcher>()
  let nextPoll: NodeJS.Timeout | undefined
  let isPolling = false
  let pollAgain = false
  let closing = false

  // Bound to no request: its queries serve all waiting requests, so they must not appear in the trace of one.
  const poll = AsyncLocalStorage.bind(async (): Promise<void> => {
    if (isPolling) {
      pollAgain = true
      return
    }
    isPolling = true
    clearTimeout(nextPoll)
    try {
      await endWithSessions()
      const ids = [...new Set([...watchers].map(({ id }) => id))]
      const states = ids.length > 0 ? await findJobStates(db, ids) : []
      for (const state of states) for (const watcher of [...watchers]) if (watcher.id === state.id) watcher.see(state)
    } catch (error) {
      onError(error as Error)
    } finally {
      isPolling = false
      if (watchers.size > 0) nextPoll = setTimeout(poll, pollAgain ? 0 : POLL_MS)
      pollAgain = false
    }
  })

  async function endWithSessions(): Promise<void> {
    const waiting = [...watchers].filter(({ sessionId }) => sessionId !== undefined)
    const ids = [...new Set(waiting.map(({ sessionId = '' }) => sessionId))]
    if (ids.length === 0) return
    const live = await findLive(db, ids, now())
    for (const { sessionId = '', leave } of waiting) if (!live.has(sessionId)) leave()
  }

  async function until(
    id: string,
    { milliseconds, sessionId, left }: Wait,
    isAwaited: (state: State) => boolean,
  ): Promise<State | undefined> {
    if (closing || left?.aborted) return undefined
    const { promise, resolve } = Promise.withResolvers<State | undefined>()
    const watcher: Watcher = {
      id,
      sessionId,
      see: (state) => isAwaited(state) && resolve(state),
      leave: () => resolve(undefined),
    }
    const timer = setTimeout(watcher.leave, milliseconds)
    left?.addEventListener('abort', watcher.leave)
    watchers.add(watcher)
    void poll()
    return promise.finally(() => {
      clearTimeout(timer)
      left?.removeEventListener('abort', watcher.leave)
      watchers.delete(watcher)
    })
  }

  return {
    ended: (id, wait) => until(id, wait, ({ status }) => status === 'succeeded' || status === 'failed'),
    changed: async (id, seen, wait) => {
      await until(id, wait, (state) => shownStateOf(state) !== seen)
    },
    pollNow: () => void poll(),
    endAllWaits() {
      closing = true
      for (const watcher of watchers) watcher.leave()
    },
    get closing() {
      return closing
    },
  }
}
