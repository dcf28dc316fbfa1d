import { hash } from 'node:crypto'
import { ARTICLE_PAGES } from '../publicUrl.ts'
import { type BareHandler, pool } from './server.ts'
import { CALLER, IS_SHOWN, likesOf, time } from './sql.ts'

const text = `
  with caller as (${CALLER})
  select
    (
      select row_to_json(fields)::text from (
        select
          a.id, a.number as "prNumber", r.owner, r.name as repo, r.owner || '/' || r.name as "repositoryFullName",
          p.host_url as "hostPrUrl", p.title, p.author_login as "authorLogin", p.author_is_bot as "authorIsBot",
          p.state, p.merged_at is not null as merged, ${time('p.merged_at')} as "mergedAt", p.draft, p.labels,
          p.additions, p.deletions, p.changed_files as "changedFiles",
          ${time('p.host_created_at')} as "hostPrCreatedAt", texts.likes as "totalLikeCount",
          ${time('a.created_at')} as "createdAt", ${time('a.updated_at')} as "updatedAt"
      ) fields
    ) as head,
    texts.contents
  from caller
  cross join articles a
  join repositories r on r.host_repo_id = a.host_repo_id
  left join repository_access x on x.host_repo_id = r.host_repo_id and x.session_id = caller.session_id
  join pull_requests p on p.host_repo_id = a.host_repo_id and p.number = a.number and (r.private or not p.private)
  cross join lateral (
    select
      sum(likes)::integer as likes,
      string_agg(
        '"' || language || '":{"likeCount":' || likes
          || ',"liked":' || liked || ',"stale":'
          || case when head_sha = p.head_sha then 'false,' else 'true,' end || substr(content, 2),
        ',' order by language
      ) as contents
    from (
      select
        t.language, t.head_sha, t.content, ${likesOf('t.article_id', 't.language')} as likes,
        exists (
          select from likes l
          where l.user_id = caller.user_id and l.article_id = t.article_id and l.language = t.language
        ) as liked
      from article_texts t where t.article_id = a.id and (r.private or not t.private)
    ) one
  ) texts
  where a.id = $2 and ${IS_SHOWN}`

/** `/articles/{articleId}` */
export const article: BareHandler = async (token, [, , articleId]) => {
  const { rows } = await pool.query({ name: 'article', text, values: [hash('sha256', token, 'buffer'), articleId] })
  const { head, contents } = rows[0]
  return {
    status: 200,
    body: `{"success":true,"data":${head.slice(0, -1)},"url":"${ARTICLE_PAGES}${articleId}","contents":{${contents}}},"message":"The article."}`,
  }
}
