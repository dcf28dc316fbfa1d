import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Where something is kept sealed, and the column that tells one row from another. */
export const SEALED_TABLES = { host_tokens: 'user_id', sessions: 'id', feed_addresses: 'user_id' } as const
export type SealedTable = keyof typeof SEALED_TABLES

export interface SealedRow {
  id: string
  key_id: string
  sealed: Buffer
}

/** Rows that another key sealed, in the order of their ids, after one of these. */
export async function findSealedByOthers(
  db: Kysely<Schema>,
  table: SealedTable,
  keyId: string,
  { after, limit }: { after: string; limit: number },
): Promise<SealedRow[]> {
  const id = sql.ref(SEALED_TABLES[table])
  const { rows } = await sql<SealedRow>`
    select ${id} as id, key_id, sealed from ${sql.table(table)}
    where key_id <> ${keyId} and ${id} > ${after}::uuid
    order by ${id} limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Only what was read: somebody may have saved another meanwhile. */
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
