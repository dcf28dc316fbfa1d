import { type Kysely, sql } from 'kysely'
import type { components } from '../../../generated/api.ts'
import { shownRepository } from '../repositories/repositories.ts'
import type { AutomaticArticles } from '../schema/mergeTables.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository } from '../visibility.ts'

type MergeStatus = components['schemas']['MergeStatus']

export interface MergePosition {
  at: Date
  number: number
}

/** The settings of a viewer for the repository. */
export interface FollowerSettings {
  automaticArticles: AutomaticArticles
  includesBots: boolean
  notableScore: number
}

/** The id of the visible article about a merged pull request, automatic or requested. */
const articleId = sql<string | null>`(
  select articles.id from articles
  join pull_requests
    on pull_requests.host_repo_id = articles.host_repo_id and pull_requests.number = articles.number
    and ${fitsRepository('pull_requests')}
  where articles.host_repo_id = merges.host_repo_id and articles.number = merges.number
    and exists (
      select from article_texts where article_texts.article_id = articles.id and ${fitsRepository('article_texts')}
    )
)`

const status = sql<MergeStatus>`(case
  when ${articleId} is not null then 'written'
  when merges.status in ('found', 'writing') then 'queued'
  else merges.status
end)`

/** Hidden pull requests are not listed. A pull request that is not stored counts as not hidden. */
const isNotHidden = sql<boolean>`not exists (
  select from pull_requests
  where pull_requests.host_repo_id = merges.host_repo_id and pull_requests.number = merges.number
    and pull_requests.hidden_by is not null
)`

/** The merged pull requests of a visible repository, most recently merged first. */
export async function findMerges(
  db: Kysely<Schema>,
  audience: Audience,
  hostRepoId: number,
  which: {
    limit: number
    after: MergePosition | undefined
    status: MergeStatus | undefined
    wanted: FollowerSettings | undefined
  },
) {
  const { limit, after, wanted } = which
  return shownRepository(db, audience, { hostRepoId })
    .clearSelect()
    .clearOrderBy()
    .clearLimit()
    .innerJoin('merges', 'merges.host_repo_id', 'repositories.host_repo_id')
    .where(isNotHidden)
    .where(
      after
        ? sql<boolean>`(merges.merged_at, merges.number) < (${after.at}::timestamptz, ${after.number}::integer)`
        : sql<boolean>`true`,
    )
    .where(which.status ? hasStatus(which.status) : sql<boolean>`true`)
    .where(wanted ? isWanted(wanted) : sql<boolean>`true`)
    .select(['repositories.owner', 'repositories.name', articleId.as('article_id'), status.as('shown_status')])
    .select([
      'merges.number',
      'merges.url',
      'merges.title',
      'merges.author',
      'merges.author_is_bot',
      'merges.merged_at',
      'merges.found_at',
      'merges.is_earlier',
      'merges.reason',
      'merges.score',
      'merges.factors',
      'merges.error_code',
      'merges.error_message',
      'merges.error_reason',
      'merges.next_try_at',
    ])
    .orderBy('merges.merged_at', 'desc')
    .orderBy('merges.number', 'desc')
    .limit(limit)
    .execute()
}

/**
 * The stored states that each status of the contract stands for. A pull request with an article has the status
 * `written` instead.
 */
const STORED = {
  queued: ['found', 'queued', 'writing'],
  waiting: ['waiting'],
  skipped: ['skipped'],
  failed: ['failed'],
} as const

/** Compares the stored state, because an index narrows the search by it. */
function hasStatus(wanted: MergeStatus) {
  if (wanted === 'written') return sql<boolean>`${articleId} is not null`
  const stored = sql.join(STORED[wanted].map((state) => sql.lit(state)))
  return sql<boolean>`(merges.status in (${stored}) and ${articleId} is null)`
}

export type ListedMerge = Awaited<ReturnType<typeof findMerges>>[number]

function isWanted({ automaticArticles, includesBots, notableScore }: FollowerSettings) {
  if (automaticArticles === 'off') return sql<boolean>`false`
  const fitsScore = automaticArticles === 'everything' ? sql`true` : sql`merges.score >= ${notableScore}::integer`
  return sql<boolean>`(${fitsScore} and (${includesBots}::boolean or not merges.author_is_bot))`
}

/** A viewer's settings for a repository, if it is a favorite. */
export async function findSettings(db: Kysely<Schema>, userId: string, hostRepoId: number) {
  return db
    .selectFrom('favorites')
    .where('user_id', '=', userId)
    .where('host_repo_id', '=', hostRepoId)
    .select(['automatic_articles', 'includes_bots'])
    .executeTakeFirst()
}

export async function findWatching(db: Kysely<Schema>, hostRepoId: number) {
  return db
    .selectFrom('watched_repositories')
    .where('host_repo_id', '=', hostRepoId)
    .select(['started_at', 'checked_at', 'next_check_at'])
    .executeTakeFirst()
}
