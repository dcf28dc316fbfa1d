import type { Kysely } from 'kysely'
import { findSealedByOthers, replaceSealedRow, SEALED_TABLES, type SealedTable } from '../../db/accounts/sealedRows.ts'
import type { Schema } from '../../db/schema/schema.ts'
import type { Secret } from '../../lib/secret.ts'
import { sealedForFeedOf } from './feedOwner.ts'
import { sealedForRenewalOf } from './renewal.ts'
import { keyIdOf, seal, unseal } from './seal.ts'

const BATCH_SIZE = 1000
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

export interface Rotation {
  table: SealedTable
  moved: number
  /** Number of rows that none of the configured keys decrypts. */
  unreadable: number
}

/**
 * Re-encrypts with the first key everything that was encrypted with another, in small batches while the service runs.
 */
export async function rotateKeys(
  db: Kysely<Schema>,
  keys: Secret[],
  onBatch: (rotation: Rotation) => void,
): Promise<Rotation[]> {
  const rotations: Rotation[] = []
  for (const table of Object.keys(SEALED_TABLES) as SealedTable[]) {
    const rotation: Rotation = { table, moved: 0, unreadable: 0 }
    await rotateTable(db, keys, rotation, onBatch)
    rotations.push(rotation)
  }
  return rotations
}

async function rotateTable(
  db: Kysely<Schema>,
  keys: Secret[],
  rotation: Rotation,
  onBatch: (rotation: Rotation) => void,
): Promise<void> {
  const { table } = rotation
  for (let after = LOWEST_ID; ; ) {
    const batch = await findSealedByOthers(db, table, keyIdOf(keys), { after, limit: BATCH_SIZE })
    if (!batch) return
    for (const row of batch.rows) {
      const owner = ownerOf(table, row.id)
      const text = unseal(keys, row, owner)
      if (text === undefined) rotation.unreadable += 1
      else if (await replaceSealedRow(db, table, row, seal(keys, text, owner))) rotation.moved += 1
    }
    after = batch.last
    if (batch.rows.length > 0) onBatch(rotation)
  }
}

/** The owner that `seal` bound the secret of a row to. */
function ownerOf(table: SealedTable, id: string): string {
  if (table === 'feed_addresses') return sealedForFeedOf(id)
  return table === 'refresh_tokens' ? sealedForRenewalOf(id) : id
}
