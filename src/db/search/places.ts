import { type Kysely, sql } from 'kysely'
import { isRecent } from '../engine/clock.ts'
import { prepared } from '../engine/prepared/prepared.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, shownTo } from '../visibility.ts'

/** The private repositories that a session may see now. */
export async function findPrivatePlaces(db: Kysely<Schema>, audience: Audience): Promise<number[]> {
  if (audience.sessionId === null) return []
  const rows = await privatePlaces(db, audience)
  return rows.map(({ host_repo_id }) => host_repo_id)
}

const privatePlaces = prepared((db, { sessionId, now, public_minutes }: Audience) =>
  shownTo(db, { sessionId, now, public_minutes })
    .where('repositories.private', '=', true)
    .where(sql<boolean>`repository_access.session_id is not null`)
    .select('repositories.host_repo_id'),
)

/**
 * Public repositories with public articles that were last verified at least `minutes` ago, the oldest check first: if
 * `areForbidden`, those that the service's token may not see, which are checked anonymously; otherwise the others.
 */
export async function findLastVerifiedBefore(
  db: Kysely<Schema>,
  now: Date,
  { minutes, max, areForbidden }: { minutes: number; max: number; areForbidden: boolean },
): Promise<number[]> {
  const rows = await db
    .selectFrom('repositories')
    .where('private', '=', false)
    .where('forbidden_at', areForbidden ? 'is not' : 'is', null)
    .where(sql<boolean>`not ${isRecent(sql.ref('verified_at'), now, minutes)}`)
    .where(sql<boolean>`exists (
      select from article_cards where article_cards.host_repo_id = repositories.host_repo_id and is_public
    )`)
    .select('host_repo_id')
    .orderBy('verified_at')
    .limit(max)
    .execute()
  return rows.map(({ host_repo_id }) => host_repo_id)
}
