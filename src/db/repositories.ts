import type { Transaction } from 'kysely'
import type { Schema } from './schema.ts'

export interface KnownRepository {
  host_repo_id: number
  owner: string
  name: string
  private: boolean
}

/** What the code host answered when a session asked for a repository; `repository` is null where it denied it. */
export interface HostAnswer {
  sessionId: string
  hostRepoId: number
  repository: KnownRepository | null
  askedAt: Date
}

/** Keeps an answer, unless one to a later question is kept already. A denial says nothing about what others may see. */
export async function recordAnswer(trx: Transaction<Schema>, answer: HostAnswer): Promise<void> {
  const { repository, askedAt } = answer
  if (repository)
    await trx
      .insertInto('repositories')
      .values({ ...repository, proven_at: askedAt })
      .onConflict((conflict) =>
        conflict
          .column('host_repo_id')
          .doUpdateSet({ ...repository, proven_at: askedAt })
          .where('repositories.proven_at', '<=', askedAt),
      )
      .execute()
  if (repository?.private === false) await deleteAccess(trx, answer)
  else await upsertAccess(trx, answer)
}

/** To see a public repository proves nothing about seeing it once it is private. */
async function deleteAccess(trx: Transaction<Schema>, { sessionId, hostRepoId, askedAt }: HostAnswer): Promise<void> {
  await trx
    .deleteFrom('repository_access')
    .where('session_id', '=', sessionId)
    .where('host_repo_id', '=', hostRepoId)
    .where('asked_at', '<=', askedAt)
    .execute()
}

async function upsertAccess(trx: Transaction<Schema>, answer: HostAnswer): Promise<void> {
  const { sessionId, hostRepoId, repository, askedAt } = answer
  const session = trx.selectFrom('sessions').where('id', '=', sessionId).select('id').forKeyShare()
  if (!(await session.executeTakeFirst())) return
  const access = { allowed: repository !== null, asked_at: askedAt }
  await trx
    .insertInto('repository_access')
    .values({ session_id: sessionId, host_repo_id: hostRepoId, ...access })
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'host_repo_id'])
        .doUpdateSet(access)
        .where('repository_access.asked_at', '<=', askedAt),
    )
    .execute()
}
