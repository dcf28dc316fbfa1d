import { type Kysely, sql } from 'kysely'
import type { Owner } from '../accounts/sessions.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, denied, isUnverified, stale, withAccess } from '../visibility.ts'
import { shownJobs } from './articleJobs.ts'

export interface JobPosition {
  at: Date
  id: string
}

/** The visible jobs that any session of an identity started, newest first. */
export async function findStartedJobs(
  db: Kysely<Schema>,
  audience: Audience,
  { issuer, subject }: Owner,
  { limit, after }: { limit: number; after: JobPosition | undefined },
) {
  return shownJobs(db, audience)
    .innerJoin('sessions', 'sessions.id', 'article_jobs.session_id')
    .where('sessions.issuer', '=', issuer)
    .where('sessions.subject', '=', subject)
    .where(
      after
        ? sql<boolean>`(article_jobs.created_at, article_jobs.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
        : sql<boolean>`true`,
    )
    .select(isUnverified(audience))
    .orderBy('article_jobs.created_at', 'desc')
    .orderBy('article_jobs.id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * The repositories whose jobs `findStartedJobs` may leave out only because this session's visibility check is stale.
 */
export async function findStaleJobPlaces(
  db: Kysely<Schema>,
  audience: Audience,
  { issuer, subject }: Owner,
): Promise<number[]> {
  const rows = await withAccess(db, audience)
    .innerJoin('article_jobs', 'article_jobs.host_repo_id', 'repositories.host_repo_id')
    .innerJoin('sessions', 'sessions.id', 'article_jobs.session_id')
    .where('sessions.issuer', '=', issuer)
    .where('sessions.subject', '=', subject)
    .where(sql<boolean>`(repositories.private or ${denied(audience)})`)
    .where(stale(audience))
    .select('repositories.host_repo_id')
    .distinct()
    .execute()
  return rows.map(({ host_repo_id }) => host_repo_id)
}
