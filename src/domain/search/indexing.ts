import type { Kysely } from 'kysely'
import type { Threads } from '../../context.ts'
import type { Schema } from '../../db/schema/schema.ts'
import {
  claimQueued,
  deleteEntry,
  deleteQueued,
  findQueuedTexts,
  lockCounts,
  type QueuedText,
  replaceEntry,
  type SearchEntry,
  updateNewest,
} from '../../db/search/searchQueue.ts'
import { waitAtMost } from '../../lib/waitAtMost.ts'
import { TaskLimitExceeded } from '../../runtime/threads/errors.ts'
import type { SearchedText } from './entry.ts'

/** Keeps lists and searches up to date. Every node takes part; an article is locked by the node that works on it. */
export interface Indexing {
  /** Starts to work on the queue, because this node has just changed an article. */
  soon(): void
  /** Waits for the changes of this node, half a second at most, but not for all that is queued. Never fails. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

/**
 * Queued changes in a batch: few, because a batch is one transaction, and the embedded database has a single
 * connection.
 */
const BATCH = 5
const POLL_MS = 10_000
const CATCH_UP_MS = 500

export function startIndexing(db: Kysely<Schema>, threads: () => Threads, onError: (error: unknown) => void): Indexing {
  let running: Promise<void> | undefined
  let isWanted = false
  let isStopped = false
  /**
   * Resolves after the next batch. Batches begin with the newest changes, so it includes a change that was just made.
   */
  let next = Promise.withResolvers<void>()
  /** Resolves after the batch that includes this node's last change. Undefined if there is nothing to wait for. */
  let awaited: Promise<void> | undefined

  function wake(): void {
    if (isStopped) return
    isWanted = true
    running ??= run().finally(() => {
      running = undefined
      if (isWanted) wake()
    })
  }
  async function run(): Promise<void> {
    isWanted = false
    try {
      while (!isStopped && (await runBatch()));
    } catch (error) {
      onError(error)
    }
  }
  async function runBatch(): Promise<boolean> {
    const batch = next
    next = Promise.withResolvers<void>()
    try {
      return await indexBatch(db, threads())
    } finally {
      batch.resolve()
      if (awaited === batch.promise) awaited = undefined
    }
  }
  const poll = setInterval(wake, POLL_MS)
  // Starts later, because `threads` is available only after the caller has finished its own setup.
  setImmediate(wake)
  return {
    soon() {
      awaited = next.promise
      wake()
    },
    catchUp: async () => void (awaited && (await waitAtMost(CATCH_UP_MS, [awaited]))),
    async stop() {
      isStopped = true
      clearInterval(poll)
      await running
    },
  }
}

/** Works on a few queued changes; false if there are no more. */
async function indexBatch(db: Kysely<Schema>, threads: Threads): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const queued = await claimQueued(trx, BATCH)
    if (queued.length === 0) return false
    // Read after the claim, so that no change is missed: changes that are queued later are worked on again.
    const texts = await findQueuedTexts(trx, [...new Set(queued.map(({ article_id }) => article_id))])
    const entries = await Promise.all(texts.map((text) => entryOf(threads, text)))
    await lockCounts(trx)
    for (const [i, text] of texts.entries()) {
      const entry = entries[i]
      if (text.is_hidden) await deleteEntry(trx, text)
      else if (entry) await replaceEntry(trx, text, entry)
    }
    if (texts.length > 0) await updateNewest(trx, [...new Set(texts.map(({ host_repo_id }) => host_repo_id))])
    await deleteQueued(
      trx,
      queued.map(({ id }) => id),
    )
    return queued.length === BATCH
  })
}

/**
 * The search entry of a text. Undefined for a hidden text, and for one that takes too long: it must not hold up the
 * queue.
 */
async function entryOf(threads: Threads, text: QueuedText): Promise<SearchEntry | undefined> {
  if (text.is_hidden) return undefined
  return threads.run('searchEntry', searchedText(text)).catch((error) => {
    if (error instanceof TaskLimitExceeded) return undefined
    throw error
  })
}

function searchedText(text: QueuedText): SearchedText {
  const { content, host_repo_id: hostRepoId, number, title, author_login: authorLogin, labels } = text
  const fullName = `${text.owner}/${text.name}`
  return { content, isPublic: !text.private, hostRepoId, fullName, number, title, authorLogin, labels }
}
