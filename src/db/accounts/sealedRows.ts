import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** The tables with sealed (encrypted) columns, and the primary key of each. */
export const SEALED_TABLES = {
  host_tokens: 'user_id',
  sessions: 'id',
  refresh_tokens: 'session_id',
  feed_addresses: 'user_id',
} as const
export type SealedTable = keyof typeof SEALED_TABLES

export interface SealedRow {
  id: string
  key_id: string
  sealed: Buffer
}

/**
 * Reads the next `limit` rows by id. Returns those sealed with another key and the last id read, or undefined at the
 * end of the table. Reading a fixed number of rows keeps each query short, even if few of them are sealed.
 */
export async function findSealedByOthers(
  db: Kysely<Schema>,
  table: SealedTable,
  keyId: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string; rows: SealedRow[] } | undefined> {
  const id = sql.ref(SEALED_TABLES[table])
  const { rows } = await sql<{ last: string } & (SealedRow | { id: null })>`
    with looked_at as materialized (
      select ${id} as id, key_id, sealed from ${sql.table(table)}
      where ${id} > ${after}::uuid order by ${id} limit ${sql.lit(limit)}
    )
    select ended.id as last, others.* from (select id from looked_at order by id desc limit 1) ended
    left join (select * from looked_at where key_id <> ${keyId}) others on true`.execute(db)
  const [first] = rows
  return first && { last: first.last, rows: rows.filter((row) => row.id !== null) }
}

/** The number of rows that none of these keys can decrypt; 0 before the first migration has created the tables. */
export async function countSealedByOthers(db: Kysely<Schema>, keyIds: string[]): Promise<number> {
  let count = 0
  for (const table of Object.keys(SEALED_TABLES)) {
    const { rows: tables } = await sql`select where to_regclass(${table}) is not null`.execute(db)
    if (tables.length === 0) continue
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where key_id <> all(${keyIds})`.execute(db)
    count += rows[0]?.count ?? 0
  }
  return count
}

/** Updates only the value that was read: a newer one may have been saved meanwhile. */
export async function replaceSealedRow(
  db: Kysely<Schema>,
  table: SealedTable,
  { id, sealed }: SealedRow,
  renewed: { key_id: string; sealed: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set key_id = ${renewed.key_id}, sealed = ${renewed.sealed}
    where ${sql.ref(SEALED_TABLES[table])} = ${id}::uuid and sealed = ${sealed}`.execute(db)
  return numAffectedRows === 1n
}
