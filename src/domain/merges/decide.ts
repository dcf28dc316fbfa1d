import pLimit from 'p-limit'
import type { Context } from '../../context.ts'
import { type Followers, findUndecided, type OpenMerge, updateMerge } from '../../db/merges/decisions.ts'
import type { MergeReason } from '../../db/schema/mergeTables.ts'
import { Problem } from '../../errors.ts'
import { HostForbidden, HostUnavailable } from '../../host/errors.ts'
import type { HostPullRequest } from '../../host/pullRequest.ts'
import type { HostFile } from '../../host/pullRequestParts.ts'
import { checkPublic } from '../repositories/publicVisibility.ts'
import { toKnown } from '../repositories/visibility.ts'
import { isOutage, OUTAGE_RETRY_MS, PollerPaused, type PollRound } from './pollRound.ts'
import { type MergeFacts, NOTABLE_SCORE, scoreOf } from './score.ts'

const BATCH = 50
const MAX_AT_ONCE = 5
/** At most this many files of a pull request are read: more files say nothing new about the kind of change. */
const MAX_FILES = 300
const CALLS = 4
const RETRY_MS = 10 * 60_000
/** The delay before the next try if the code host forbids the pull request to the service's token. */
export const FORBIDDEN_RETRY_MS = 6 * 60 * 60_000

/**
 * Decides for a batch of merged pull requests whether each gets an article, before the model is called. Returns whether
 * undecided ones may be left.
 */
export async function decide(round: PollRound): Promise<boolean> {
  const limit = pLimit(MAX_AT_ONCE)
  const merges = await findUndecided(round.ctx.db, round.ctx.now(), BATCH)
  const outcomes = await Promise.allSettled(merges.map((merge) => limit(() => decideOne(round, merge))))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return merges.length === BATCH
}

async function decideOne(round: PollRound, merge: OpenMerge): Promise<void> {
  const { ctx } = round
  const followers = await round.followersOf(merge.host_repo_id)
  if (merge.is_hidden) return skip(ctx, merge, 'hidden')
  if (merge.private) return skip(ctx, merge, 'gone')
  if (followers.length === 0) return skip(ctx, merge, 'not_wanted')
  if (!followers.some((follower) => wantsAuthor(follower, merge))) return skip(ctx, merge, 'bot')
  const facts = await factsOf(round, merge).catch((error) => {
    if (error instanceof PollerPaused) throw error
    if (error instanceof Problem) return null
    if (error instanceof HostForbidden) return { retryMs: FORBIDDEN_RETRY_MS }
    ctx.log.warn(
      { err: error, hostRepoId: merge.host_repo_id, number: merge.number },
      'Scoring a merged pull request failed.',
    )
    return { retryMs: isOutage(error) ? OUTAGE_RETRY_MS : RETRY_MS }
  })
  if (facts === null) return skip(ctx, merge, 'gone')
  if ('retryMs' in facts) {
    await updateMerge(ctx.db, merge, { next_try_at: new Date(ctx.now().getTime() + facts.retryMs) })
    return
  }
  const { score, factors } = scoreOf(facts)
  const isWanted = followers.some((follower) => wants(follower, merge, score))
  await updateMerge(ctx.db, merge, {
    score,
    factors: JSON.stringify(factors),
    decided_at: ctx.now(),
    next_try_at: null,
    ...(isWanted ? { status: 'queued' } : { status: 'skipped', reason: 'low_score' }),
  })
}

export async function skip(ctx: Context, merge: OpenMerge, reason: MergeReason): Promise<void> {
  await updateMerge(ctx.db, merge, { status: 'skipped', reason, decided_at: ctx.now(), next_try_at: null })
}

function wantsAuthor({ includes_bots }: Followers, merge: OpenMerge): boolean {
  return includes_bots || !merge.author_is_bot
}

/** Whether followers with these settings want an article. */
export function wants(followers: Followers, merge: OpenMerge, score: number | null): boolean {
  const fitsScore = followers.automatic_articles === 'everything' || (score ?? 0) >= NOTABLE_SCORE
  return fitsScore && wantsAuthor(followers, merge)
}

/**
 * Throws if another repository has taken the name after a rename. The public check corrects the stored name for the
 * next try.
 */
export async function requireSame(ctx: Context, hostRepoId: number, { repository }: HostPullRequest): Promise<void> {
  if (repository.id === hostRepoId) return
  await checkPublic(ctx, hostRepoId)
  throw new HostUnavailable('Another repository has this name now.', 200)
}

/** The facts about a merged pull request; null if it is no longer public. */
async function factsOf(round: PollRound, merge: OpenMerge): Promise<MergeFacts | null> {
  const { ctx } = round
  const askedAt = ctx.now()
  const { owner, name, number } = merge
  const at = { owner, name, number }
  const answer = await round.ask(CALLS, async (credential) => {
    const pull = await ctx.host.pullRequest(credential, at, null)
    if (!pull || pull.unchanged || pull.value.repository.private) return { pull, files: [] }
    const expected = Math.min(pull.value.changedFiles, MAX_FILES)
    return { pull, files: await firstFiles(ctx.host.files(credential, at, expected)) }
  })
  if (!answer.pull || answer.pull.unchanged) return null
  const { value: pull } = answer.pull
  await requireSame(ctx, merge.host_repo_id, pull)
  await round.reader(0).recordVisibility(toKnown(pull.repository), askedAt)
  return {
    title: pull.title,
    body: pull.body,
    labels: pull.labels,
    number,
    url: pull.url,
    fullName: `${owner}/${name}`,
    comments: pull.comments + pull.reviewComments,
    files: answer.files,
  }
}

async function firstFiles(pages: AsyncIterable<HostFile[]>): Promise<MergeFacts['files']> {
  const files: MergeFacts['files'] = []
  for await (const page of pages) {
    files.push(...page.map(({ path, additions, deletions }) => ({ path, additions, deletions })))
    if (files.length >= MAX_FILES) break
  }
  return files
}
