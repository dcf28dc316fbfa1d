import { type Kysely, type QueryCreator, sql } from 'kysely'
import { type CredentialKeys, withViewer } from '../accounts/viewers.ts'
import { shownTexts } from '../articles/shownArticles.ts'
import { jsonArray, jsonObject, jsonTime, pageText } from '../engine/json.ts'
import { boundsOf, type PageRequest, type PageShape, pageShape } from '../engine/pagination.ts'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, denied, type Freshness, isProven, stale, viewerAudience, withAccess } from '../visibility.ts'
import { likesOf } from './likes.ts'

interface LikedQuery extends PageRequest {
  language: string | undefined
}

interface Shape extends PageShape {
  order: 'asc' | 'desc'
  isAll: boolean
}

/** A page of the viewer's liked articles with the total; no row if the viewer is not authenticated. */
export async function findLikedArticles(
  db: Kysely<Schema>,
  order: 'asc' | 'desc',
  query: LikedQuery,
  fresh: Freshness,
  keys: CredentialKeys,
) {
  const shape = { order, isAll: query.language === undefined, ...pageShape(query) }
  const [row] = await pages(db, shape, query, fresh, keys)
  return row
}

const pages = preparedInShapes((db, shape: Shape, query: LikedQuery, fresh: Freshness, keys: CredentialKeys) => {
  const audience = viewerAudience(fresh, sql`viewer.session_id`)
  const rows = sql<{ rows: string; unproven: number[] | null }>`lateral (${page(db, shape, query, fresh, audience)})`
  // Counting all likes is cheap: one user has only so many.
  const total = liked(shownTexts(db, audience), shape, query).select(sql`count(*)`.as('total'))
  return withViewer(db, keys, fresh)
    .selectFrom(['viewer', rows.as('page')])
    .select([
      'viewer.user_id',
      pageText(sql`page.rows`, sql`(${total})`, boundsOf(shape, query)).as('page'),
      // The public repositories on the page whose visibility check is due.
      'page.unproven',
      sql<number[] | null>`(${hidden(db, shape, query, audience)})`.as('hidden'),
    ])
})

function liked<Query extends ReturnType<typeof shownTexts>>(texts: Query, { isAll }: Shape, { language }: LikedQuery) {
  return texts
    .innerJoin('likes', (join) =>
      join
        .onRef('likes.article_id', '=', 'article_texts.article_id')
        .onRef('likes.language', '=', 'article_texts.language'),
    )
    .where(sql<boolean>`likes.user_id = viewer.user_id`)
    .where(isAll ? sql.lit(true) : sql<boolean>`likes.language = ${language}`)
}

/** The hidden repositories of liked articles whose visibility check is stale. */
function hidden(db: QueryCreator<Schema>, { isAll }: Shape, { language }: LikedQuery, audience: Audience) {
  return withAccess(db, audience)
    .innerJoin('articles', 'articles.host_repo_id', 'repositories.host_repo_id')
    .innerJoin('likes', 'likes.article_id', 'articles.id')
    .where(sql<boolean>`likes.user_id = viewer.user_id`)
    .where(isAll ? sql.lit(true) : sql<boolean>`likes.language = ${language}`)
    .where(sql<boolean>`(repositories.private or repositories.doubted or ${denied(audience)})`)
    .where(stale(audience))
    .select(sql`array_agg(distinct repositories.host_repo_id)`.as('hidden'))
}

function page(db: QueryCreator<Schema>, shape: Shape, query: LikedQuery, fresh: Freshness, audience: Audience) {
  const order = sql.raw(shape.order)
  const { limit, limitClause } = boundsOf(shape, query)
  const rows = liked(shownTexts(db, audience), shape, query).select([
    'repositories.host_repo_id',
    'repositories.owner',
    'repositories.name',
    sql<boolean>`not ${isProven(fresh)}`.as('is_unproven'),
    'articles.number',
    'article_texts.title',
    'likes.article_id',
    'likes.language',
    'likes.liked_at',
    'likes.id',
  ])
  const item = jsonObject({
    articleId: sql`article_id`,
    languageCode: sql`language`,
    likedAt: jsonTime(sql`liked_at`),
    aiGeneratedTitle: sql`title`,
    repositoryFullName: sql`owner || '/' || name`,
    owner: sql`owner`,
    repo: sql`name`,
    prNumber: sql`number`,
    likeCount: likesOf(sql`ordered.article_id`, sql`ordered.language`),
  })
  return sql`
    select
      ${jsonArray(item, sql`place`)} as rows,
      array_agg(distinct host_repo_id) filter (where is_unproven) as unproven
    from (
      select *, row_number() over () as place from (
        ${rows} order by likes.liked_at ${order}, likes.id ${order} ${limitClause}
      ) bounded
    ) ordered
    where place <= ${limit}`
}
