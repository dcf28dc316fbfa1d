import { hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { type BareHandler, pool } from './server.ts'
import { CALLER, IS_SHOWN } from './sql.ts'

const text = `
  with caller as (${CALLER})
  select r.owner, r.name, p.document
  from caller
  join repositories r on lower(r.owner) = $2 and lower(r.name) = $3
  join pull_requests p on p.host_repo_id = r.host_repo_id and p.number = $4 and (r.private or not p.private)
  left join repository_access x on x.session_id = caller.session_id and x.host_repo_id = r.host_repo_id
  where ${IS_SHOWN}`

/** `/repos/{owner}/{repo}/pulls/{number}` */
export const pullRequest: BareHandler = async (token, [, , owner = '', repo = '', , number = '']) => {
  const values = [hash('sha256', token, 'buffer'), owner.toLowerCase(), repo.toLowerCase(), Number(number)]
  const { rows } = await pool.query({ name: 'pull request', text, values })
  const { owner: storedOwner, name, document } = rows[0]
  const names = JSON.stringify({ owner: storedOwner, repo: name, repositoryFullName: `${storedOwner}/${name}` })
  const body = Buffer.concat([
    Buffer.from(`{"success":true,"data":${names.slice(0, -1)},`),
    zstdDecompressSync(document).subarray(1),
    Buffer.from(',"message":"The pull request."}'),
  ])
  return { status: 200, body }
}
