import { hash } from 'node:crypto'
import { ARTICLE_PAGES } from '../publicUrl.ts'
import { type BareHandler, pool } from './server.ts'
import { CALLER } from './sql.ts'

const COLUMNS: Record<string, string> = { all: 'all_time', monthly: 'monthly', weekly: 'weekly', daily: 'daily' }

const textOf = (column: string) => `
  with caller as (${CALLER})
  select
    (select ${column} from ranking_totals where language = 'all') as total,
    (
      select '[' || string_agg((
        select row_to_json(fields)::text from (
          select
            place as rank, c.article_id as "articleId", c.language as "languageCode", title as "aiGeneratedTitle",
            lead, owner || '/' || name as "repositoryFullName", owner, name as repo, number as "prNumber",
            '${ARTICLE_PAGES}' || c.article_id || '?language=' || c.language as url,
            c.likes as "likeCount", c.likes as "periodLikeCount",
            exists (
              select from likes l
              where l.user_id = caller.user_id and l.article_id = c.article_id and l.language = c.language
            ) as liked
        ) fields
      ), ',' order by place) || ']'
      from (
        select article_id, language, ${column} as likes, row_number() over () as place
        from (
          select article_id, language, ${column} from like_counts
          where ranked and ${column} > 0
          order by ${column} desc, article_created_at desc, article_id, language
          limit 10
        ) ordered
      ) c
      cross join lateral (
        select t.title, t.lead, a.number, r.owner, r.name
        from articles a
        join article_texts t on t.article_id = a.id and t.language = c.language and not t.private
        join pull_requests p on p.host_repo_id = a.host_repo_id and p.number = a.number and not p.private
        join repositories r on r.host_repo_id = a.host_repo_id and not r.private and not r.doubted
        where a.id = c.article_id
        offset 0
      ) text
    ) as rows
  from caller`

/** `/ranking/articles/likes?period=…`, its first page. */
export const ranking: BareHandler = async (token, [, , , last]) => {
  const period = last?.split('period=')[1] ?? 'all'
  const { rows } = await pool.query({
    name: `ranking ${period}`,
    text: textOf(COLUMNS[period] ?? 'all_time'),
    values: [hash('sha256', token, 'buffer')],
  })
  const pagination = `{"totalItems":${rows[0].total},"limit":10,"offset":0,"nextCursor":"WzEwXQ"}`
  return {
    status: 200,
    body: `{"success":true,"data":{"data":${rows[0].rows},"pagination":${pagination}},"message":"The ranking."}`,
  }
}
