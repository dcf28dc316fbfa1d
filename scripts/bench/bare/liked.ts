import { hash } from 'node:crypto'
import { ARTICLE_PAGES } from '../publicUrl.ts'
import { type BareHandler, pool } from './server.ts'
import { CALLER, IS_SHOWN, likesOf, SHOWN_TEXTS, time } from './sql.ts'

const MINE = `
  from ${SHOWN_TEXTS}
  join likes l on l.article_id = t.article_id and l.language = t.language
  where l.user_id = caller.user_id and ${IS_SHOWN}`

const text = `
  with caller as (${CALLER})
  select
    (select count(*)::integer ${MINE}) as total,
    (
      select replace(json_build_array((extract(epoch from l.liked_at) * 1000)::bigint, l.id, 10)::text, ' ', '') ${MINE}
      order by l.liked_at desc, l.id desc offset 9 limit 1
    ) as last,
    (
      select '[' || string_agg((
        select row_to_json(fields)::text from (
          select
            article_id as "articleId", language as "languageCode", ${time('liked_at')} as "likedAt",
            title as "aiGeneratedTitle", lead, owner || '/' || name as "repositoryFullName", owner, name as repo,
            number as "prNumber", '${ARTICLE_PAGES}' || article_id || '?language=' || language as url,
            ${likesOf('mine.article_id', 'mine.language')} as "likeCount"
        ) fields
      ), ',' order by liked_at desc, id desc) || ']'
      from (
        select l.article_id, l.language, l.liked_at, l.id, t.title, t.lead, r.owner, r.name, a.number ${MINE}
        order by l.liked_at desc, l.id desc limit 10
      ) mine
    ) as rows
  from caller`

/** `/users/me/liked-articles`, its first page. */
export const liked: BareHandler = async (token) => {
  const { rows } = await pool.query({ name: 'liked', text, values: [hash('sha256', token, 'buffer')] })
  const { total, last } = rows[0]
  const nextCursor = total > 10 ? `"${Buffer.from(last).toString('base64url')}"` : null
  const pagination = `{"totalItems":${total},"limit":10,"offset":0,"nextCursor":${nextCursor}}`
  return {
    status: 200,
    body: `{"success":true,"data":{"data":${rows[0].rows},"pagination":${pagination}},"message":"The articles you liked."}`,
  }
}
