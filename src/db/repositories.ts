import type { Transaction } from 'kysely'
import type { Schema } from './schema.ts'

export interface KnownRepository {
  host_repo_id: number
  owner: string
  name: string
  private: boolean
}

/** Keeps what the code host just said of repositories, and that it said it to this session. Rows are taken in order. */
export async function recordRepositories(
  trx: Transaction<Schema>,
  sessionId: string,
  repositories: KnownRepository[],
  now: Date,
): Promise<void> {
  if (repositories.length === 0) return
  const inOrder = repositories.toSorted((one, other) => one.host_repo_id - other.host_repo_id)
  await trx
    .insertInto('repositories')
    .values(inOrder.map((repository) => ({ ...repository, proven_at: now })))
    .onConflict((conflict) =>
      conflict.column('host_repo_id').doUpdateSet((set) => ({
        owner: set.ref('excluded.owner'),
        name: set.ref('excluded.name'),
        private: set.ref('excluded.private'),
        proven_at: set.ref('excluded.proven_at'),
      })),
    )
    .execute()
  const sessionStands = await trx
    .selectFrom('sessions')
    .where('id', '=', sessionId)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()
  const hidden = inOrder.filter((repository) => repository.private)
  if (!sessionStands || hidden.length === 0) return
  await trx
    .insertInto('repository_proofs')
    .values(hidden.map(({ host_repo_id }) => ({ session_id: sessionId, host_repo_id, proven_at: now })))
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'host_repo_id'])
        .doUpdateSet((set) => ({ proven_at: set.ref('excluded.proven_at') })),
    )
    .execute()
}

/** The code host denies them to this session, so they are not public either. */
export async function recordDenied(trx: Transaction<Schema>, sessionId: string, hostRepoIds: number[]): Promise<void> {
  if (hostRepoIds.length === 0) return
  await trx
    .deleteFrom('repository_proofs')
    .where('session_id', '=', sessionId)
    .where('host_repo_id', 'in', hostRepoIds)
    .execute()
  await trx
    .updateTable('repositories')
    .set({ private: true })
    .where('host_repo_id', 'in', (lock) =>
      lock
        .selectFrom('repositories')
        .where('host_repo_id', 'in', hostRepoIds)
        .where('private', '=', false)
        .orderBy('host_repo_id')
        .forUpdate()
        .select('host_repo_id'),
    )
    .execute()
}
