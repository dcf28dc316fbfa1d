import { type Kysely, sql } from 'kysely'
import { shownTexts } from '../articles/shownArticles.ts'
import type { TextKey } from '../likes/likes.ts'
import type { MistakesTable } from '../schema/adminTables.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, isUnverified } from '../visibility.ts'

/** A visible text, and whether a public check of its repository is due. */
export async function findShownText(db: Kysely<Schema>, audience: Audience, { articleId, language }: TextKey) {
  return shownTexts(db, audience)
    .where('articles.id', '=', articleId)
    .where('article_texts.language', '=', language)
    .select(['articles.id', isUnverified(audience)])
    .executeTakeFirst()
}

export type NewMistake = Omit<MistakesTable, 'closed_at'>

/** The user's first report since the given time with the same description and quote, about the same text. */
export async function findSameMistake(db: Kysely<Schema>, report: NewMistake, since: Date) {
  return db
    .selectFrom('mistakes')
    .where('user_id', '=', report.user_id)
    .where('created_at', '>', since)
    .where('article_id', '=', report.article_id)
    .where('language', '=', report.language)
    .where('description', '=', report.description)
    .where('quote', 'is not distinct from', report.quote)
    .select(['id', 'created_at'])
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

export async function countMistakes(db: Kysely<Schema>, userId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('mistakes')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertMistake(db: Kysely<Schema>, report: NewMistake): Promise<void> {
  await db.insertInto('mistakes').values(report).execute()
}
