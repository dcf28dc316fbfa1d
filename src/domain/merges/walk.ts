import type { Context } from '../../context.ts'
import { type FoundMerge, insertMerges, markMerged } from '../../db/merges/merges.ts'
import { updateWalk, type WatchedChange } from '../../db/merges/walks.ts'
import { updateWatched } from '../../db/merges/watched.ts'
import { upsertRepository } from '../../db/repositories/repositories.ts'
import type { WatchedRow } from '../../db/schema/mergeTables.ts'
import type { HostClosedPull } from '../../host/pullRequest.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/times.ts'
import { checkPublic } from '../repositories/publicVisibility.ts'
import { toKnown } from '../repositories/visibility.ts'
import type { PollRound } from './pollRound.ts'

/**
 * A walk reads this far beyond its goal, because the code host may list a change shortly after it has listed one with a
 * later time.
 */
const OVERLAP_MS = 5 * MINUTE_MS
/** How far the code host's clock may be behind ours. */
const HOST_CLOCK_LAG_MS = MINUTE_MS
const MAX_EARLIER = 30
const MAX_FIRST_PAGES = 5
/**
 * At most this many pages are read by a walk in one round. A longer walk continues in the next round, so that it does
 * not delay other repositories.
 */
const MAX_PAGES = 20
/** Pull requests merged earlier are ignored: their entries are deleted after a year and must not come back. */
const MAX_AGE_MS = 365 * DAY_MS

type Outcome = 'unchanged' | 'changed' | 'unfinished' | 'hidden'

interface Page {
  items: HostClosedPull[]
  hasMore: boolean
  etag: string | null
}

/**
 * Reads the closed pull requests of a repository, most recently updated first, back to where the last complete walk
 * began. Each page is stored together with the position, so that another node can continue. `covered_until` advances
 * only after a complete walk.
 */
export async function walk(round: PollRound, row: WatchedRow): Promise<Outcome> {
  if (row.covered_until === null) return beginWatching(round, row)
  if (row.walk_page === null) {
    const first = await readPage(round, row, 1, row.etag)
    if (typeof first === 'string') return first
    return walkOn(round, row, row.covered_until, { page: 1, first })
  }
  // Begins one page earlier: if pull requests left the list meanwhile, others have moved to the previous page.
  return walkOn(round, row, row.covered_until, { page: Math.max(1, row.walk_page - 1), first: undefined })
}

/**
 * Stores the pull requests merged most recently before watching began, and the time after which a merged pull request
 * counts as new. Then walks back to that time.
 */
async function beginWatching(round: PollRound, row: WatchedRow): Promise<Outcome> {
  const { host_repo_id: hostRepoId } = row
  const began = row.started_at.getTime() - HOST_CLOCK_LAG_MS
  const earlier: HostClosedPull[] = []
  let first: Page | undefined
  for (let page = 1; page <= MAX_FIRST_PAGES && earlier.length < MAX_EARLIER; page++) {
    const read = await readPage(round, row, page, null)
    if (typeof read === 'string') return read
    first ??= read
    earlier.push(...read.items.filter(({ mergedAt }) => mergedAt !== null && new Date(mergedAt).getTime() < began))
    if (!read.hasMore) break
  }
  // Use the code host's clock if it is behind ours.
  const newest = newestOf(first?.items ?? [])?.getTime() ?? began
  const since = new Date(Math.min(began, newest - OVERLAP_MS))
  const last = earlier.toSorted((a, b) => (b.mergedAt ?? '').localeCompare(a.mergedAt ?? '')).slice(0, MAX_EARLIER)
  const change = { merged_since: since, covered_until: since }
  if (!(await save(round.ctx, hostRepoId, { isEarlier: true, pulls: last }, change))) return 'hidden'
  return walkOn(round, { ...row, ...change }, since, { page: 1, first })
}

async function walkOn(
  round: PollRound,
  row: WatchedRow,
  coveredUntil: Date,
  { page: start, first }: { page: number; first: Page | undefined },
): Promise<Outcome> {
  const { ctx } = round
  const { host_repo_id: hostRepoId } = row
  let [until, etag] = [row.walk_until ?? coveredUntil, row.walk_etag]
  let isSecond = row.walk_is_second
  let pages = 0
  for (let page = start, read = first; ; page++, read = undefined) {
    const listing = read ?? (await readPage(round, row, page, null))
    if (typeof listing === 'string') return listing
    if (page === 1) [until, etag] = [newestOf(listing.items) ?? coveredUntil, listing.etag]
    const oldest = listing.items.at(-1)
    const isLast =
      !listing.hasMore || !oldest || new Date(oldest.updatedAt).getTime() < coveredUntil.getTime() - OVERLAP_MS
    // A pull request that is reopened during the walk leaves the list and moves others to pages that were already read.
    // If the first page has changed since, walk once more.
    const repeats = isLast && page > 1 && !isSecond && !(await isUnchanged(round, hostRepoId, etag))
    const pulls = listing.items.filter((item) => isNew(ctx, item, row))
    const change: WatchedChange =
      isLast && !repeats
        ? { covered_until: until, etag, walk_page: null, walk_until: null, walk_etag: null, walk_is_second: false }
        : { walk_page: repeats ? 1 : page + 1, walk_until: until, walk_etag: etag, walk_is_second: isSecond || repeats }
    if (!(await save(ctx, hostRepoId, { isEarlier: false, pulls }, change))) return 'hidden'
    if (isLast && !repeats) return 'changed'
    pages += 1
    if (pages === MAX_PAGES) return 'unfinished'
    if (repeats) [page, isSecond] = [0, true]
  }
}

function isNew(ctx: Context, { mergedAt }: HostClosedPull, { merged_since }: WatchedRow): boolean {
  if (mergedAt === null || merged_since === null) return false
  const time = new Date(mergedAt).getTime()
  return time >= merged_since.getTime() && time >= ctx.now().getTime() - MAX_AGE_MS
}

async function isUnchanged(round: PollRound, hostRepoId: number, etag: string | null): Promise<boolean> {
  if (etag === null) return false
  const at = { hostRepoId, page: 1 }
  const answer = await round.ask(1, (credential) => round.ctx.host.closedPullRequests(credential, at, etag))
  return answer?.unchanged === true
}

/** Reads a page. Returns `hidden` if the repository is no longer public. */
async function readPage(
  round: PollRound,
  { host_repo_id: hostRepoId }: Pick<WatchedRow, 'host_repo_id'>,
  page: number,
  etag: string | null,
): Promise<Page | 'unchanged' | 'hidden'> {
  const { ctx } = round
  const askedAt = ctx.now()
  const at = { hostRepoId, page }
  const answer = await round.ask(1, (credential) => ctx.host.closedPullRequests(credential, at, etag))
  if (!answer) {
    await checkPublic(ctx, hostRepoId)
    await updateWatched(ctx.db, hostRepoId, ctx.now())
    return 'hidden'
  }
  if (answer.unchanged) return 'unchanged'
  const repository = answer.value.items[0]?.repository
  if (repository) {
    const now = ctx.now()
    await upsertRepository(ctx.db, toKnown(repository), repository.private ? now : askedAt, now)
    if (repository.private) {
      await updateWatched(ctx.db, hostRepoId, now)
      return 'hidden'
    }
  }
  return { ...answer.value, etag: answer.etag }
}

async function save(
  ctx: Context,
  hostRepoId: number,
  { isEarlier, pulls }: { isEarlier: boolean; pulls: HostClosedPull[] },
  change: WatchedChange,
): Promise<boolean> {
  const isSaved = await ctx.db.transaction().execute(async (trx) => {
    if (!(await updateWalk(trx, hostRepoId, change))) return false
    await insertMerges(trx, { hostRepoId, isEarlier, now: ctx.now() }, pulls.map(toFound))
    await markMerged(trx, hostRepoId, pulls)
    return true
  })
  if (pulls.length > 0) ctx.indexing.soon()
  return isSaved
}

function toFound({ number, url, title, author, authorIsBot, mergedAt }: HostClosedPull): FoundMerge {
  return { number, url, title, author, author_is_bot: authorIsBot, merged_at: new Date(mergedAt ?? 0) }
}

function newestOf(items: HostClosedPull[]): Date | undefined {
  const [first] = items.map(({ updatedAt }) => updatedAt).toSorted((a, b) => b.localeCompare(a))
  return first === undefined ? undefined : new Date(first)
}
