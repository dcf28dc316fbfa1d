import { type Kysely, sql } from 'kysely'
import type { Owner } from '../accounts/sessions.ts'
import { isRecent, isReplacedBy } from '../engine/clock.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, isUnverified, shownTo } from '../visibility.ts'

const DAY_MINUTES = 24 * 60

export interface KnownRepository {
  host_repo_id: number
  owner: string
  name: string
  private: boolean
  /** Undefined if the code host was not asked for it. */
  description?: string | null
}

/** The code host's answer to a session's request for a repository; `repository` is null if it was denied. */
export interface HostAnswer {
  sessionId: string
  hostRepoId: number
  repository: KnownRepository | null
  askedAt: Date
  heardAt: Date
}

/**
 * Stores an answer, unless the answer to a later request is already stored. If two requests overlap in time, the answer
 * "private" wins. A denial says nothing about what other sessions may see.
 */
export async function recordAnswer(db: Kysely<Schema>, answer: HostAnswer): Promise<void> {
  const { repository, askedAt, heardAt } = answer
  if (repository) await upsertRepository(db, repository, repository.private ? heardAt : askedAt, heardAt)
  if (repository?.private === false) await deleteAccess(db, answer)
  else await upsertAccess(db, answer)
}

export async function upsertRepository(
  db: Kysely<Schema>,
  repository: KnownRepository,
  verifiedAt: Date,
  now: Date,
): Promise<void> {
  const { host_repo_id, owner, name, private: hidden, description } = repository
  const row = {
    ...{ host_repo_id, owner, name, private: hidden, verified_at: verifiedAt, doubted: false },
    ...(description !== undefined && { description }),
  }
  await db
    .insertInto('repositories')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('host_repo_id')
        .doUpdateSet(row)
        .where(isReplacedBy(sql.ref('repositories.verified_at'), verifiedAt, now)),
    )
    .execute()
}

/** Deletes the stored access to a public repository: seeing it is no proof of access once it becomes private. */
async function deleteAccess(
  db: Kysely<Schema>,
  { sessionId, hostRepoId, askedAt, heardAt }: HostAnswer,
): Promise<void> {
  await db
    .deleteFrom('repository_access')
    .where('session_id', '=', sessionId)
    .where('host_repo_id', '=', hostRepoId)
    .where(isReplacedBy(sql.ref('asked_at'), askedAt, heardAt))
    .execute()
}

/** Writes nothing if the session was deleted meanwhile. */
async function upsertAccess(db: Kysely<Schema>, answer: HostAnswer): Promise<void> {
  const { sessionId, hostRepoId, repository, askedAt, heardAt } = answer
  const access = { allowed: repository !== null, asked_at: askedAt }
  await db
    .insertInto('repository_access')
    .columns(['session_id', 'host_repo_id', 'allowed', 'asked_at'])
    .expression((from) =>
      from
        .selectFrom('sessions')
        .where('id', '=', sessionId)
        .select([
          'id',
          sql<number>`${hostRepoId}::bigint`.as('host_repo_id'),
          sql<boolean>`${access.allowed}::boolean`.as('allowed'),
          sql<Date>`${askedAt}::timestamptz`.as('asked_at'),
        ])
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'host_repo_id'])
        .doUpdateSet(access)
        .where(isReplacedBy(sql.ref('repository_access.asked_at'), askedAt, heardAt)),
    )
    .execute()
}

/**
 * The code host shows this session no repository of that name, so every stored one with that name is denied to it.
 * Returns those of them that are stored as public.
 */
export async function recordDenial(
  db: Kysely<Schema>,
  name: Name,
  denial: Pick<HostAnswer, 'sessionId' | 'askedAt' | 'heardAt'>,
): Promise<number[]> {
  const rows = await db
    .selectFrom('repositories')
    .where(isRepository(name))
    .select(['host_repo_id', 'private'])
    .execute()
  for (const { host_repo_id: hostRepoId } of rows) await upsertAccess(db, { ...denial, hostRepoId, repository: null })
  return rows.filter((row) => !row.private).map((row) => row.host_repo_id)
}

/** The private repositories that any session of an identity could see within the last day. */
export async function findShownTo(db: Kysely<Schema>, owner: Owner, now: Date): Promise<Set<number>> {
  const rows = await db
    .selectFrom('repository_access')
    .innerJoin('sessions', 'sessions.id', 'repository_access.session_id')
    .where('sessions.issuer', '=', owner.issuer)
    .where('sessions.subject', '=', owner.subject)
    .where('repository_access.allowed', '=', true)
    .where(isRecent(sql.ref('repository_access.asked_at'), now, DAY_MINUTES))
    .select('repository_access.host_repo_id')
    .execute()
  return new Set(rows.map((row) => row.host_repo_id))
}

export interface Name {
  owner: string
  repo: string
}

export type RepositoryKey = Name | { hostRepoId: number }

/**
 * Names are case-insensitive. After a rename two rows may have the same name: the most recently verified one counts.
 */
export function lastVerified(repositories: ReturnType<typeof shownTo>, by: RepositoryKey) {
  return repositories
    .where(isRepository(by))
    .select(['repositories.host_repo_id', 'repositories.owner', 'repositories.name', 'repositories.private'])
    .orderBy('repositories.verified_at', 'desc')
    .limit(sql.lit(1))
}

/** A visible repository, to be joined with its content. */
export function shownRepository(db: Kysely<Schema>, audience: Audience, by: RepositoryKey) {
  return lastVerified(shownTo(db, audience), by).select(isUnverified(audience))
}

export async function findShownRepository(db: Kysely<Schema>, audience: Audience, by: RepositoryKey) {
  return shownRepository(db, audience, by).executeTakeFirst()
}

/** The visible repositories with a name, whoever owns them; those with the newest public articles first. */
export async function findNamed(db: Kysely<Schema>, audience: Audience, name: string, max: number) {
  return shownTo(db, audience)
    .where(sql<boolean>`lower(repositories.name) = lower(${name})`)
    .select(['repositories.owner', 'repositories.name'])
    .select(sql<boolean>`repositories.newest_article_at is not null`.as('has_articles'))
    .orderBy(sql`repositories.newest_article_at desc nulls last`)
    .orderBy('repositories.host_repo_id')
    .limit(max)
    .execute()
}

export function isRepository(by: RepositoryKey) {
  return 'hostRepoId' in by
    ? sql<boolean>`repositories.host_repo_id = ${by.hostRepoId}`
    : sql<boolean>`(lower(repositories.owner) = lower(${by.owner}) and lower(repositories.name) = lower(${by.repo}))`
}

/** Deletes the stored repository access of all sessions of a user, so that the code host is asked again. */
export async function forgetAccessOf(db: Kysely<Schema>, { issuer, subject }: Owner): Promise<void> {
  await db
    .deleteFrom('repository_access')
    .where('session_id', 'in', (from) =>
      from.selectFrom('sessions').where('issuer', '=', issuer).where('subject', '=', subject).select('id'),
    )
    .execute()
}
