import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type BearerKeys, withCaller } from './callers.ts'
import { jsonArray, jsonObject, pageText } from './json.ts'
import { bounds, type Page, type PageShape, pageShape } from './pages.ts'
import { preparedInShapes } from './prepared.ts'
import type { Schema } from './schema.ts'
import { shownTexts } from './shownArticles.ts'
import { ANYBODY, type Freshness, isProven } from './visibility.ts'

export type Period = 'all_time' | 'monthly' | 'weekly' | 'daily'

export interface RankingRow {
  /** The page as JSON. */
  page: string
  user_id: string | null
  /** What there is to do, if anything. */
  due: {
    /** The counts are not those of the present minute, or repositories wait to be looked at again. */
    behind: boolean
    /** Of the repositories shown, those nobody was shown lately. */
    unproven: number[] | null
  } | null
}

interface Asked extends Page {
  language: string
}

interface Shape extends PageShape {
  period: Period
  isAll: boolean
  isCaller: boolean
}

/** A page of the ranking, with the account of the caller where one is given; no row where there is no such caller. */
export async function findRanking(
  db: Kysely<Schema>,
  period: Period,
  asked: Asked,
  fresh: Freshness,
  keys: BearerKeys | null,
) {
  const { most, isFirst } = pageShape(asked)
  const shape = { period, isAll: asked.language === 'all', isCaller: keys !== null, most, isFirst }
  const [row] = await rankings(db, shape, asked, fresh, keys ?? NO_KEYS)
  return row
}

const NO_KEYS = {} as BearerKeys

const rankings = preparedInShapes((db, shape: Shape, asked: Asked, fresh: Freshness, keys: BearerKeys) => {
  const total = sql`coalesce(
    (select ${sql.ref(shape.period)} from ranking_totals where ranking_totals.language = ${asked.language}), 0
  )`
  const minute = sql`date_trunc('minute', ${fresh.now}::timestamptz)`
  const behind = sql`(
    exists (
      select from ranking_windows
      where daily_from < ${minute} - interval '24 hours'
        or weekly_from < ${minute} - interval '168 hours'
        or monthly_from < ${minute} - interval '720 hours'
    )
    or exists (select from ranking_reviews)
  )`
  const columns = [
    pageText(sql`page.rows`, total, asked).as('page'),
    sql<RankingRow['due']>`case when page.unproven is not null or ${behind}
      then json_build_object('behind', ${behind}, 'unproven', page.unproven) end`.as('due'),
  ] as const
  const page = (liked: RawBuilder<unknown>) => sql`lateral ${pageOf(db, shape, asked, fresh, liked)}`.as('page')
  if (!shape.isCaller)
    return db.selectFrom(page(sql`null`)).select(columns).select(sql<string | null>`null`.as('user_id'))
  const liked = sql`exists (
    select from likes where likes.user_id = caller.user_id
      and likes.article_id = places.article_id and likes.language = places.language
  )`
  return withCaller(db, keys, fresh)
    .selectFrom(['caller', page(liked)])
    .select(columns)
    .select(sql<string | null>`caller.user_id`.as('user_id'))
})

/** The places are taken from an index alone; then each is looked at, and what may not be shown any more falls out. */
function pageOf(db: Kysely<Schema>, shape: Shape, asked: Asked, fresh: Freshness, liked: RawBuilder<unknown>) {
  const count = sql.ref(shape.period)
  const places = sql`(
    select article_id, language, ${count} as likes, row_number() over () as place
    from (
      select article_id, language, ${count} from like_counts
      where ranked and ${count} > 0 ${shape.isAll ? sql`` : sql`and language = ${asked.language}`}
      order by ${count} desc, article_created_at desc, article_id, language
      ${bounds(shape, asked)}
    ) ordered
  )`
  const shown = shownTexts(db, ANYBODY)
    .innerJoin(
      sql<{ article_id: string; language: string; likes: number; place: number }>`${places}`.as('places'),
      (join) =>
        join.onRef('places.article_id', '=', 'articles.id').onRef('places.language', '=', 'article_texts.language'),
    )
    .where(sql<boolean>`places.place <= ${asked.limit}::integer`)
    .select([
      'repositories.host_repo_id',
      sql<boolean>`not ${isProven(fresh)}`.as('is_unproven'),
      'repositories.owner',
      'repositories.name',
      'articles.number',
      'article_texts.title',
      'places.article_id',
      'places.language',
      'places.likes',
      sql<number>`row_number() over (order by places.place)`.as('position'),
      sql<boolean | null>`${liked}`.as('liked'),
    ])
  const item = jsonObject({
    rank: sql`position + ${asked.offset}::integer`,
    articleId: sql`article_id`,
    languageCode: sql`language`,
    aiGeneratedTitle: sql`title`,
    repositoryFullName: sql`owner || '/' || name`,
    owner: sql`owner`,
    repo: sql`name`,
    prNumber: sql`number`,
    likeCount: sql`likes`,
    liked: sql`liked`,
  })
  return sql`(
    select
      ${jsonArray(item, sql`position`)} as rows,
      array_agg(distinct host_repo_id) filter (where is_unproven) as unproven
    from (${shown}) shown
  )`
}
