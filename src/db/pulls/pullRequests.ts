import type { Insertable, Kysely } from 'kysely'
import { pack, unpack } from '../engine/packed.ts'
import { prepared } from '../engine/prepared/prepared.ts'
import { lastVerified, type Name, type RepositoryKey, shownRepository } from '../repositories/repositories.ts'
import type { PullRequestsTable } from '../schema/pullTables.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository, withAccess } from '../visibility.ts'

/** A visible repository, with the pull request if it is stored. */
export async function findShownPullRequest(db: Kysely<Schema>, audience: Audience, by: RepositoryKey, number: number) {
  const [row] = await ('hostRepoId' in by
    ? shownById(db, { ...audience, ...by, number })
    : shownByName(db, { ...audience, ...by, number }))
  if (!row) return undefined
  const { document, ...repository } = row
  return { ...repository, stored: document && (await unpack(document)) }
}

const shownById = prepared((db, key: Audience & { hostRepoId: number; number: number }) =>
  selectShown(db, key, { hostRepoId: key.hostRepoId }, key.number),
)
const shownByName = prepared((db, key: Audience & Name & { number: number }) =>
  selectShown(db, key, { owner: key.owner, repo: key.repo }, key.number),
)

function selectShown(db: Kysely<Schema>, audience: Audience, by: RepositoryKey, number: number) {
  return shownRepository(db, audience, by)
    .leftJoin('pull_requests', (join) =>
      join
        .onRef('pull_requests.host_repo_id', '=', 'repositories.host_repo_id')
        .on('pull_requests.number', '=', number)
        .on(fitsRepository('pull_requests')),
    )
    .select('pull_requests.document')
}

/**
 * The stored state of a pull request, read before the code host is asked. It ignores visibility, and returns no
 * content.
 */
export async function findSeen(db: Kysely<Schema>, sessionId: string, name: Name, number: number) {
  return lastVerified(withAccess(db, { sessionId }), name)
    .innerJoin('pull_requests', 'pull_requests.host_repo_id', 'repositories.host_repo_id')
    .where('pull_requests.number', '=', number)
    .select(['repositories.verified_at', 'repository_access.allowed', 'repository_access.asked_at'])
    .select('pull_requests.version')
    .executeTakeFirst()
}

export function stored(db: Kysely<Schema>, hostRepoId: number, number: number) {
  return db.selectFrom('pull_requests').where('host_repo_id', '=', hostRepoId).where('number', '=', number)
}

export async function findVersion(db: Kysely<Schema>, hostRepoId: number, number: number) {
  return stored(db, hostRepoId, number).select(['version', 'host_updated_at', 'private']).executeTakeFirst()
}

/** The stored pull request, for internal use: it ignores visibility. */
export async function findStored(db: Kysely<Schema>, hostRepoId: number, number: number) {
  const row = await stored(db, hostRepoId, number).select(['version', 'private', 'document']).executeTakeFirst()
  return row && { ...row, document: await unpack(row.document) }
}

/** Never overwrites a newer state with an older one, unless the repository has become private or public since. */
export async function upsertPullRequest(
  db: Kysely<Schema>,
  { document, ...rest }: Omit<Insertable<PullRequestsTable>, 'document' | 'head_asked_at'> & { document: Uint8Array },
): Promise<void> {
  const row = { ...rest, document: await pack(document) }
  await db
    .insertInto('pull_requests')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['host_repo_id', 'number'])
        .doUpdateSet(row)
        .where((where) =>
          where.or([
            where('pull_requests.host_updated_at', '<=', row.host_updated_at),
            where('pull_requests.private', '!=', row.private),
          ]),
        ),
    )
    .execute()
}
