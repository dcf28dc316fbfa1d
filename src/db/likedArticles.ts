import { type Kysely, type QueryCreator, sql } from 'kysely'
import { type BearerKeys, withCaller } from './callers.ts'
import { jsonArray, jsonObject, jsonTime } from './json.ts'
import { likesOf } from './likes.ts'
import { bounds, type Page, type PageShape, pageShape } from './pages.ts'
import { preparedInShapes } from './prepared.ts'
import type { Schema } from './schema.ts'
import { shownTexts } from './shownArticles.ts'
import { type Audience, denied, stale, withAccess } from './visibility.ts'

interface Asked extends BearerKeys, Page {
  provenSince: Date
  publicSince: Date
  language: string | undefined
}

interface Shape extends PageShape {
  order: 'asc' | 'desc'
  isAll: boolean
}

/** A page of what a caller likes, and how much there is; no row where there is no such caller. */
export async function findLikedArticles(db: Kysely<Schema>, { order, ...asked }: Asked & { order: 'asc' | 'desc' }) {
  const shape = { order, isAll: asked.language === undefined, ...pageShape(asked) }
  const [row] = await pages(db, shape, asked)
  return row
}

const pages = preparedInShapes((db, shape: Shape, asked: Asked) => {
  const audience = { sessionId: sql<string>`caller.session_id`, provenSince: asked.provenSince }
  const rows = sql<{ rows: string; unproven: number[] | null }>`lateral (${page(db, shape, asked, audience)})`
  return withCaller(db, asked)
    .selectFrom(['caller', rows.as('page')])
    .select([
      'caller.user_id',
      // The liked articles as JSON.
      'page.rows',
      // Of those, the public repositories nobody was shown lately.
      'page.unproven',
      // Over all they like, which is as much as one person can.
      sql<number>`(${liked(shownTexts(db, audience), shape, asked).select(sql`count(*)::integer`.as('total'))})`.as(
        'total',
      ),
      sql<number[] | null>`(${hidden(db, audience)})`.as('hidden'),
    ])
})

function liked<Query extends ReturnType<typeof shownTexts>>(texts: Query, { isAll }: Shape, { language }: Asked) {
  return texts
    .innerJoin('likes', (join) =>
      join
        .onRef('likes.article_id', '=', 'article_texts.article_id')
        .onRef('likes.language', '=', 'article_texts.language'),
    )
    .where(sql<boolean>`likes.user_id = caller.user_id`)
    .where(isAll ? sql.lit(true) : sql<boolean>`likes.language = ${language}`)
}

/** The repositories of liked articles that are not shown, of which the code host was not asked lately. */
function hidden(db: QueryCreator<Schema>, audience: Audience) {
  return withAccess(db, audience)
    .innerJoin('articles', 'articles.host_repo_id', 'repositories.host_repo_id')
    .innerJoin('likes', 'likes.article_id', 'articles.id')
    .where(sql<boolean>`likes.user_id = caller.user_id`)
    .where(sql<boolean>`(repositories.private or ${denied})`)
    .where(stale(audience))
    .select(sql`array_agg(distinct repositories.host_repo_id)`.as('hidden'))
}

function page(db: QueryCreator<Schema>, shape: Shape, asked: Asked, audience: Audience) {
  const order = sql.raw(shape.order)
  const rows = liked(shownTexts(db, audience), shape, asked).select([
    'repositories.host_repo_id',
    'repositories.owner',
    'repositories.name',
    'repositories.private',
    'repositories.proven_at',
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
      array_agg(host_repo_id) filter (where not private and proven_at < ${asked.publicSince}::timestamptz) as unproven
    from (
      select *, row_number() over () as place from (
        ${rows} order by likes.liked_at ${order}, likes.id ${order} ${bounds(shape, asked)}
      ) bounded
    ) ordered
    where place <= ${asked.limit}::integer`
}
