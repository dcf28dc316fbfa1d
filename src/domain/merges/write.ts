import type { Context } from '../../context.ts'
import { findLiveJob } from '../../db/articles/articleJobs.ts'
import { tokensOf } from '../../db/articles/quotas.ts'
import {
  type Budget,
  countStarted,
  countStartedOf,
  countWriting,
  findNextToWrite,
  markWaiting,
  skipWaiting,
  TRANSIENT_CODES,
} from '../../db/merges/budgets.ts'
import { type OpenMerge, updateMerge } from '../../db/merges/decisions.ts'
import { lockPoller } from '../../db/merges/poller.ts'
import { findShownHead, markHeadAsked } from '../../db/pulls/heads.ts'
import { Problem } from '../../errors.ts'
import { HostForbidden } from '../../host/errors.ts'
import { dayOf } from '../../lib/day.ts'
import { DAY_MS } from '../../lib/times.ts'
import { type CurrentHead, requireHead } from '../articles/currentHead.ts'
import { requireModelAvailable, type Starter, startJob, textFor } from '../articles/startJob.ts'
import { languageWritten, textKeyOf } from '../articles/textKey.ts'
import { refreshStored } from '../pulls/refreshStored.ts'
import { pullRequestNotFound } from '../repositories/problems.ts'
import { audienceOf, toKnown } from '../repositories/visibility.ts'
import { FORBIDDEN_RETRY_MS, requireSame, skip, wants } from './decide.ts'
import { failed } from './followJobs.ts'
import { isOutage, OUTAGE_RETRY_MS, PollerPaused, type PollRound } from './pollRound.ts'

/**
 * The calls for the diff, the reviews and the linked issues, and for checking whether the pull request has changed
 * meanwhile.
 */
const OTHER_CALLS = 10
const PER_PAGE = 100
/** The share of a day's model tokens that automatic articles may use. The rest is for articles that users request. */
const TOKEN_SHARE = 0.5

/** Rolls back the start of a job, because another node has changed the entry or the budget is used up. */
class NotStarted extends Error {}

/** Starts articles within the budgets, those with the highest scores first. */
export async function write(round: PollRound): Promise<void> {
  const { ctx } = round
  const atOnce = Math.max(1, Math.floor(ctx.config.articles.atOnce / 2))
  try {
    if (!(await isModelAvailable(ctx))) return
    while (!round.isOver() && (await countWriting(ctx.db)) < atOnce) {
      const next = await findNextToWrite(ctx.db, await budgetOf(ctx), ctx.now())
      if (!next || !(await writeOne(round, next))) break
    }
  } finally {
    await markWaiting(ctx.db, await budgetOf(ctx))
    await skipWaiting(ctx.db, new Date(ctx.now().getTime() - DAY_MS))
  }
}

async function budgetOf(ctx: Context): Promise<Budget> {
  const { perDay, perRepository } = ctx.config.automaticArticles
  const day = dayOf(ctx.now())
  const { model } = ctx.config
  const areTokensSpent = model !== undefined && (await tokensOf(ctx.db, day)) >= model.tokensPerDay * TOKEN_SHARE
  return { day, perRepository, isSpent: areTokensSpent || (await countStarted(ctx.db, day)) >= perDay }
}

/** Checked before the code host is called, because calls are wasted if nothing can be written. */
async function isModelAvailable(ctx: Context): Promise<boolean> {
  if (!ctx.askModel) return true
  return requireModelAvailable(ctx).then(
    () => true,
    (error) => {
      if (error instanceof Problem) return false
      throw error
    },
  )
}

/** Returns false if nothing more can be started for now. */
async function writeOne(round: PollRound, merge: OpenMerge): Promise<boolean> {
  const { ctx } = round
  try {
    await startText(round, merge)
    return true
  } catch (error) {
    if (error instanceof PollerPaused) throw error
    if (error instanceof NotStarted) return false
    if (error instanceof HostForbidden) {
      await updateMerge(ctx.db, merge, { next_try_at: new Date(ctx.now().getTime() + FORBIDDEN_RETRY_MS) })
      return true
    }
    const problem = error instanceof Problem ? error : new Problem('HOST_UNAVAILABLE', 'The code host is unavailable.')
    if (TRANSIENT_CODES.includes(problem.code)) return false
    if (error instanceof Problem) await skip(ctx, merge, 'gone')
    else {
      ctx.log.warn({ err: error, hostRepoId: merge.host_repo_id, number: merge.number }, 'Starting an article failed.')
      const failure = { error_code: problem.code, error_message: problem.message }
      const later = { next_try_at: new Date(ctx.now().getTime() + OUTAGE_RETRY_MS) }
      await updateMerge(ctx.db, merge, isOutage(error) ? later : failed(merge, failure, ctx.now()))
    }
    return true
  }
}

/**
 * Starts a job for the first language that has no text yet. The texts in other languages follow one after the other,
 * translated from the first text.
 */
async function startText(round: PollRound, merge: OpenMerge): Promise<void> {
  const { ctx } = round
  if (merge.is_hidden) return skip(ctx, merge, 'hidden')
  const languages = await languagesOf(round, merge)
  if (languages.length === 0) return skip(ctx, merge, 'not_wanted')
  const head = await fetchHead(round, merge)
  for (const language of languages) {
    const key = textKeyOf(ctx, head, { number: merge.number, language })
    const live = await findLiveJob(ctx.db, key)
    if (await textFor(ctx.db, key, head)) continue
    if (live) return void (await updateMerge(ctx.db, merge, { status: 'writing', job_id: live.id }))
    const jobId = await startJob(ctx, starterOf(ctx, merge), head, key, false)
    if (jobId === undefined) throw new NotStarted()
    return
  }
  await updateMerge(ctx.db, merge, { status: 'written', next_try_at: null })
}

/** The languages of the followers who want the article, the most common one first. */
async function languagesOf({ ctx, followersOf }: PollRound, merge: OpenMerge): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const followers of await followersOf(merge.host_repo_id)) {
    if (!wants(followers, merge, merge.score)) continue
    const language = languageWritten(ctx, followers.language)
    counts.set(language, (counts.get(language) ?? 0) + followers.count)
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([language]) => language)
}

/** Fetches the pull request, which also checks that its repository is still public. */
async function fetchHead(round: PollRound, { host_repo_id, owner, name, number }: OpenMerge): Promise<CurrentHead> {
  const { ctx } = round
  const askedAt = ctx.now()
  const answer = await round.ask(1, (credential) => ctx.host.pullRequest(credential, { owner, name, number }, null))
  if (!answer || answer.unchanged) throw pullRequestNotFound()
  await requireSame(ctx, host_repo_id, answer.value)
  const { changedFiles, commits, comments, reviewComments } = answer.value
  const lists = [changedFiles, commits, comments, reviewComments].map((items) => Math.ceil(items / PER_PAGE))
  const reader = round.reader(lists.reduce((sum, pages) => sum + pages, OTHER_CALLS))
  await reader.recordVisibility(toKnown(answer.value.repository), askedAt)
  await refreshStored(ctx, reader, { pull: answer.value, etag: answer.etag }, false)
  await markHeadAsked(ctx.db, host_repo_id, number, ctx.now())
  return requireHead(await findShownHead(ctx.db, audienceOf(ctx, undefined), { hostRepoId: host_repo_id }, number))
}

/** Counts each text against the budgets: an article in two languages costs twice. */
function starterOf(ctx: Context, merge: OpenMerge): Starter {
  return {
    sessionId: null,
    userId: null,
    async count(trx, { id }) {
      await lockPoller(trx)
      const day = dayOf(ctx.now())
      const { perDay, perRepository } = ctx.config.automaticArticles
      // The job itself is among those that were started.
      const isWithinBudget =
        (await countStarted(trx, day)) <= perDay &&
        (await countStartedOf(trx, day, merge.host_repo_id)) <= perRepository
      const change = { status: 'writing', job_id: id, started_on: merge.started_on ?? day, next_try_at: null } as const
      if (!isWithinBudget || !(await updateMerge(trx, merge, change))) throw new NotStarted()
    },
  }
}
