import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

export interface KnownRepository {
  host_repo_id: number
  owner: string
  name: string
  private: boolean
}

/** Keeps what the code host just said of a repository, and that it said it to this session. */
export async function recordShown(
  trx: Transaction<Schema>,
  sessionId: string,
  repository: KnownRepository,
  now: Date,
): Promise<void> {
  const { host_repo_id, ...said } = repository
  await trx
    .insertInto('repositories')
    .values({ ...repository, proven_at: now })
    .onConflict((conflict) => conflict.column('host_repo_id').doUpdateSet({ ...said, proven_at: now }))
    .execute()
  await recordAccess(trx, sessionId, host_repo_id, true, now)
}

/** Keeps that the code host denied a repository to this session. What others may see is for others to ask. */
export async function recordDenied(
  db: Kysely<Schema>,
  sessionId: string,
  hostRepoId: number,
  now: Date,
): Promise<void> {
  await db.transaction().execute((trx) => recordAccess(trx, sessionId, hostRepoId, false, now))
}

async function recordAccess(
  trx: Transaction<Schema>,
  sessionId: string,
  hostRepoId: number,
  allowed: boolean,
  now: Date,
): Promise<void> {
  const session = trx.selectFrom('sessions').where('id', '=', sessionId).select('id').forKeyShare()
  if (!(await session.executeTakeFirst())) return
  await trx
    .insertInto('repository_access')
    .values({ session_id: sessionId, host_repo_id: hostRepoId, allowed, asked_at: now })
    .onConflict((conflict) => conflict.columns(['session_id', 'host_repo_id']).doUpdateSet({ allowed, asked_at: now }))
    .execute()
}
