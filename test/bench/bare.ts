import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { zstdDecompressSync } from 'node:zlib'
import pg from 'pg'
import { reportTo } from './measured.ts'

/**
 * What reading a stored pull request costs at the least: `node:http`, `pg`, one named statement that looks up session,
 * visibility and document, and the same bytes out. No validation, no log, no failures.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })

const anonymous = {
  name: 'anonymous',
  text: `
    select r.owner, r.name, p.document
    from repositories r join pull_requests p on p.host_repo_id = r.host_repo_id and p.number = $3
    where lower(r.owner) = $1 and lower(r.name) = $2 and not r.private`,
}
const signedIn = {
  name: 'signed-in',
  text: `
    select r.owner, r.name, p.document
    from sessions s
    join users u on u.issuer = s.issuer and u.subject = s.subject
    join repositories r on lower(r.owner) = $1 and lower(r.name) = $2
    join pull_requests p on p.host_repo_id = r.host_repo_id and p.number = $3
    left join repository_access a on a.session_id = s.id and a.host_repo_id = r.host_repo_id
    where s.token_hash = $4 and s.revoked_at is null
      and case when r.private
        then coalesce(a.allowed and a.asked_at > now() - interval '5 minutes', false)
        else coalesce(a.allowed, true) or r.proven_at > a.asked_at end`,
}

const server = createServer(async (request, response) => {
  const [, , owner = '', repo = '', , number = ''] = (request.url ?? '').split('/')
  const place = [owner.toLowerCase(), repo.toLowerCase(), Number(number)]
  const token = request.headers.authorization?.slice('Bearer '.length)
  const { rows } = await pool.query(
    token === undefined
      ? { ...anonymous, values: place }
      : { ...signedIn, values: [...place, createHash('sha256').update(token).digest()] },
  )
  const { owner: spelt, name, document } = rows[0]
  const names = JSON.stringify({ owner: spelt, repo: name, repositoryFullName: `${spelt}/${name}` })
  const body = Buffer.concat([
    Buffer.from(`{"success":true,"data":${names.slice(0, -1)},`),
    zstdDecompressSync(document).subarray(1),
    Buffer.from(',"message":"The pull request."}'),
  ])
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    .end(body)
})
server.listen(0, '127.0.0.1', () => reportTo(server))
