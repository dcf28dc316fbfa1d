import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import { findLive } from '../db/accounts/sessions.ts'
import { findJobStates } from '../db/articles/articleJobs.ts'
import type { Schema } from '../db/schema/schema.ts'

const POLL_MS = 250

type State = Awaited<ReturnType<typeof findJobStates>>[number]

interface Wait {
  milliseconds: number
  /** The session on whose behalf to wait: the wait ends with it, on whichever node it ended. */
  sessionId?: string
  /** Aborted when the client has disconnected. */
  left?: AbortSignal
}

/** Tells those who wait for jobs, on this node, how far they are: one query for all of them, and only while some wait. */
export interface JobWatch {
  /** The job's state once it has ended; undefined when the wait is over before, or the server closes. */
  ended(id: string, wait: Wait): Promise<State | undefined>
  /** Answers when the job is no longer as it was seen, or the wait is over. */
  changed(id: string, seen: string, wait: Wait): Promise<void>
  /** Looks at once: something has changed here. */
  nudge(): void
  letGo(): void
  readonly closing: boolean
}

/** What of a job changes. */
export function lookOf({ status, stage, progress }: Pick<State, 'status' | 'stage' | 'progress'>): string {
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
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let again = false
  let closing = false

  // For all who wait: what it asks is part of nobody's request.
  const look = AsyncLocalStorage.bind(async (): Promise<void> => {
    if (looking) {
      again = true
      return
    }
    looking = true
    clearTimeout(timer)
    try {
      await endWithSessions()
      const ids = [...new Set([...watchers].map(({ id }) => id))]
      const states = ids.length > 0 ? await findJobStates(db, ids) : []
      for (const state of states) for (const watcher of [...watchers]) if (watcher.id === state.id) watcher.see(state)
    } catch (error) {
      onError(error as Error)
    } finally {
      looking = false
      if (watchers.size > 0) timer = setTimeout(look, again ? 0 : POLL_MS)
      again = false
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
    isIt: (state: State) => boolean,
  ): Promise<State | undefined> {
    if (closing || left?.aborted) return undefined
    const { promise, resolve } = Promise.withResolvers<State | undefined>()
    const watcher: Watcher = {
      id,
      sessionId,
      see: (state) => isIt(state) && resolve(state),
      leave: () => resolve(undefined),
    }
    const patience = setTimeout(watcher.leave, milliseconds)
    left?.addEventListener('abort', watcher.leave)
    watchers.add(watcher)
    void look()
    return promise.finally(() => {
      clearTimeout(patience)
      left?.removeEventListener('abort', watcher.leave)
      watchers.delete(watcher)
    })
  }

  return {
    ended: (id, wait) => until(id, wait, ({ status }) => status === 'succeeded' || status === 'failed'),
    changed: async (id, seen, wait) => {
      await until(id, wait, (state) => lookOf(state) !== seen)
    },
    nudge: () => void look(),
    letGo() {
      closing = true
      for (const watcher of watchers) watcher.leave()
    },
    get closing() {
      return closing
    },
  }
}
