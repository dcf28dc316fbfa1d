/** SQL shared by all statements. `$1` is the SHA-256 of the token. */
export const CALLER = `
  select s.id as session_id, u.id as user_id
  from sessions s join users u on u.issuer = s.issuer and u.subject = s.subject
  where s.token_hash = $1 and s.issuer = 'host'
    and (s.expires_at is null or s.expires_at > now())
    and (s.check_after is null or s.check_after > now() or s.paused_until > now())
    and not exists (select from revoked_tokens where revocation_hash = $1)`

/** The texts that `caller` may see. */
export const SHOWN_TEXTS = `
  repositories r
  left join repository_access x on x.host_repo_id = r.host_repo_id and x.session_id = caller.session_id
  join articles a on a.host_repo_id = r.host_repo_id
  join pull_requests p on p.host_repo_id = a.host_repo_id and p.number = a.number and (r.private or not p.private)
  join article_texts t on t.article_id = a.id and (r.private or not t.private)`

export const IS_SHOWN = `
  case when r.private
    then coalesce(x.allowed and x.asked_at > now() - interval '5 minutes', false)
    else not r.doubted and (coalesce(x.allowed, true) or r.verified_at > x.asked_at) end`

export const likesOf = (article: string, language: string) => `(
  coalesce((select all_time from like_counts c where c.article_id = ${article} and c.language = ${language}), 0)
  + coalesce((select sum(change) from like_changes d where d.article_id = ${article} and d.language = ${language}), 0)
)::integer`

export const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
