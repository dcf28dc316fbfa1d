import { type Kysely, sql } from 'kysely'
import { pack, unpack } from '../engine/packed.ts'
import { prepared } from '../engine/prepared/prepared.ts'
import { isRepository, type Name, REPOSITORY_COLUMNS, type RepositoryKey } from '../repositories/repositories.ts'
import type { PullRequestsTable, Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository, shownTo, withAccess } from '../visibility.ts'

/** A repository that may be shown, with its pull request where that is stored. */
export async function findShownPullRequest(db: Kysely<Schema>, audience: Audience, by: RepositoryKey, number: number) {
  const [row] = await ('hostRepoId' in by
    ? shownById(db, { ...audience, ...by, number })
    : shownByName(db, { ...audience, ...by, number }))
  return row && { ...row, document: row.document && (await unpack(row.document)) }
}

const shownById = prepared((db, asked: Audience & { hostRepoId: number; number: number }) =>
  selectShown(db, asked, { hostRepoId: asked.hostRepoId }, asked.number),
)
const shownByName = prepared((db, asked: Audience & Name & { number: number }) =>
  selectShown(db, asked, { owner: asked.owner, repo: asked.repo }, asked.number),
)

function selectShown(db: Kysely<Schema>, audience: Audience, by: RepositoryKey, number: number) {
  return shownTo(db, audience)
    .leftJoin('pull_requests', (join) =>
      join
        .onRef('pull_requests.host_repo_id', '=', 'repositories.host_repo_id')
        .on('pull_requests.number', '=', number)
        .on(fitsRepository('pull_requests')),
    )
    .where(isRepository(by))
    .select(REPOSITORY_COLUMNS)
    .select('pull_requests.document')
    .orderBy('repositories.proven_at', 'desc')
    .limit(sql.lit(1))
}

/** What is known of a pull request before the code host is asked: no content, and nothing of it is shown. */
export async function findSeen(db: Kysely<Schema>, sessionId: string, name: Name, number: number) {
  return withAccess(db, { sessionId })
    .innerJoin('pull_requests', 'pull_requests.host_repo_id', 'repositories.host_repo_id')
    .where('pull_requests.number', '=', number)
    .where(isRepository(name))
    .select(REPOSITORY_COLUMNS)
    .select(['repository_access.allowed', 'repository_access.asked_at', 'pull_requests.version'])
    .orderBy('repositories.proven_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Which state is stored. */
export async function findVersion(db: Kysely<Schema>, hostRepoId: number, number: number) {
  return db
    .selectFrom('pull_requests')
    .where('host_repo_id', '=', hostRepoId)
    .where('number', '=', number)
    .select(['version', 'host_updated_at', 'private'])
    .executeTakeFirst()
}

/** What is stored, for those who bring it up to date. */
export async function findStored(db: Kysely<Schema>, hostRepoId: number, number: number) {
  const row = await db
    .selectFrom('pull_requests')
    .where('host_repo_id', '=', hostRepoId)
    .where('number', '=', number)
    .select(['version', 'private', 'document'])
    .executeTakeFirst()
  return row && { ...row, document: await unpack(row.document) }
}

/** Never puts an older state over a newer one, unless the repository has turned private or public since. */
export async function upsertPullRequest(
  db: Kysely<Schema>,
  { document, ...rest }: Omit<PullRequestsTable, 'document' | 'head_asked_at'> & { document: Uint8Array },
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
