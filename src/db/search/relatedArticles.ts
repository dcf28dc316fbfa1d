import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { isChosen, listedTexts, type Reader } from './listedTexts.ts'

/** An article, and the properties by which others are related to it. */
export interface RelatedTo {
  articleId: string
  hostRepoId: number
  /** Each file and each issue is a search of the index. */
  files: string[]
  issues: string[]
  labels: string[]
  preferred: string
}

/**
 * The best articles are chosen from at most this many that share a file or an issue, and this many newest ones of the
 * repository.
 */
const MAX_SHARING = 50
const MAX_NEWEST = 30
/** Points for each issue, file and label in common. */
const SCORES = { issue: 3, file: 2, label: 1 }

/** Other articles about the same repository: those with the most in common, then the newest. */
export async function findRelated(db: Kysely<Schema>, to: RelatedTo, limit: number, reader: Reader) {
  const related = sql<{ article_id: string; score: number }>`(
    select article_id, max(score) as score from (
      select article_id, ${scoreOf(to)} as score from (${sharing(to)}) sharing
      union all
      (${newest(to)})
    ) found
    where article_id <> ${to.articleId}
    group by article_id
  )`
  const isText = sql<boolean>`article_cards.article_id = found.article_id
    and ${isChosen({ language: undefined, preferred: to.preferred })}`
  return listedTexts(db, related, isText, reader)
    .select([sql<number>`0`.as('score'), 'text.created_at as at'])
    .orderBy(sql`found.score + ${sharedLabels(to)} * ${sql.lit(SCORES.label)}`, 'desc')
    .orderBy('text.created_at', 'desc')
    .orderBy('text.article_id', 'desc')
    .limit(limit)
    .execute()
}

function sharing({ hostRepoId, files, issues }: RelatedTo): RawBuilder<unknown> {
  return sql`
    select article_id, lexemes from article_search
    where lexemes @@ ${[...issues, ...files].join(' | ')}::tsquery and host_repo_id = ${hostRepoId}
    order by created_at desc limit ${sql.lit(MAX_SHARING)}`
}

function newest({ hostRepoId }: RelatedTo): RawBuilder<unknown> {
  return sql`
    select article_id, 0 from article_cards where host_repo_id = ${hostRepoId}
    order by created_at desc, article_id desc limit ${sql.lit(MAX_NEWEST)}`
}

function scoreOf({ files, issues }: RelatedTo): RawBuilder<number> {
  const score = (entry: string, points: number) => sql`(lexemes @@ ${entry}::tsquery)::integer * ${sql.lit(points)}`
  const scores = [
    ...issues.map((entry) => score(entry, SCORES.issue)),
    ...files.map((entry) => score(entry, SCORES.file)),
  ]
  return sql`${sql.join([sql`0`, ...scores], sql` + `)}`
}

function sharedLabels({ labels }: RelatedTo): RawBuilder<number> {
  return sql`(
    select count(*)::integer from jsonb_array_elements_text(text.labels) label
    where label = any (${labels}::text[])
  )`
}
