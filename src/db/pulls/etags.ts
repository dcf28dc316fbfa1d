import type { Kysely } from 'kysely'
import type { EtagsTable } from '../schema/pullTables.ts'
import type { Schema } from '../schema/schema.ts'

/**
 * The ETag that this session got with exactly this version. The ETag of another version does not tell whether the
 * stored version is still current.
 */
export async function findEtag(
  db: Kysely<Schema>,
  { session_id, resource, version }: Omit<EtagsTable, 'etag' | 'seen_at'>,
): Promise<string | null> {
  const row = await db
    .selectFrom('etags')
    .where('session_id', '=', session_id)
    .where('resource', '=', resource)
    .where('version', '=', version)
    .select('etag')
    .executeTakeFirst()
  return row?.etag ?? null
}

/** As `findEtag`, for several resources at once: their ETags by resource. */
export async function findEtags(
  db: Kysely<Schema>,
  sessionId: string,
  seen: Pick<EtagsTable, 'resource' | 'version'>[],
): Promise<Map<string, string>> {
  if (seen.length === 0) return new Map()
  const rows = await db
    .selectFrom('etags')
    .where('session_id', '=', sessionId)
    .where((where) => where.or(seen.map((one) => where.and(one))))
    .select(['resource', 'etag'])
    .execute()
  return new Map(rows.map(({ resource, etag }) => [resource, etag]))
}

/** Writes nothing if the session was deleted meanwhile, or if nothing changed. */
export async function upsertEtag(db: Kysely<Schema>, row: EtagsTable): Promise<void> {
  const { session_id, resource, etag, version, seen_at } = row
  await db
    .insertInto('etags')
    .columns(['session_id', 'resource', 'etag', 'version', 'seen_at'])
    .expression((from) =>
      from
        .selectFrom('sessions')
        .where('id', '=', session_id)
        .select((select) => [
          'id',
          select.cast<string>(select.val(resource), 'text').as('resource'),
          select.cast<string>(select.val(etag), 'text').as('etag'),
          select.cast<string>(select.val(version), 'text').as('version'),
          select.cast<Date>(select.val(seen_at), 'timestamptz').as('seen_at'),
        ])
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['session_id', 'resource'])
        .doUpdateSet({ etag, version, seen_at })
        .where((where) => where.or([where('etags.etag', '!=', etag), where('etags.version', '!=', version)])),
    )
    .execute()
}
