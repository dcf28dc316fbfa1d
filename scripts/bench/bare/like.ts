import { hash, randomUUIDv7 } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import type { Schema } from '../../../src/db/schema/schema.ts'
import { startCounting } from '../../../src/domain/likes/counting.ts'
import { type BareHandler, pool } from './server.ts'
import { CALLER, IS_SHOWN, likesOf, SHOWN_TEXTS } from './sql.ts'

/** Adds a like and records a change of the count, which is applied later, as in the service. */
const text = `
  with caller as (${CALLER}),
  text as (
    select a.id as article_id, t.language from caller cross join ${SHOWN_TEXTS}
    where a.id = $2 and t.language = $3 and ${IS_SHOWN}
  ),
  added as (
    insert into likes (user_id, article_id, language, id, liked_at)
    select user_id, article_id, language, $4, $5 from caller, text
    on conflict (user_id, article_id, language) do nothing
    returning user_id, article_id, language, id, liked_at
  ),
  recorded as (
    insert into like_changes (article_id, language, like_id, change, liked_at)
    select article_id, language, id, 1, liked_at from added
  )
  select added.user_id, ${likesOf('added.article_id', 'added.language')} + 1 as count from added`

/** `/articles/{articleId}/language/{langCode}/like` */
export const like: BareHandler = async (token, [, , articleId, , language]) => {
  const [id, now] = [randomUUIDv7(), new Date()]
  const values = [hash('sha256', token, 'buffer'), articleId, language, id, now]
  const { rows } = await pool.query({ name: 'like', text, values })
  const { user_id: userId, count } = rows[0]
  const data = {
    like: { id, userId, articleId, languageCode: language, likedAt: now.toISOString() },
    likeCount: count,
    alreadyLiked: false,
  }
  return { status: 201, body: JSON.stringify({ success: true, data, message: 'Liked.' }) }
}

/** Applies the recorded changes to the counts, as the service does. */
export function countLikes(): void {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const counting = startCounting(db, () => new Date(), console.error)
  setInterval(() => counting.soon(), 100)
}
