import type { Kysely } from 'kysely'
import { keyIdOf, seal, unseal } from '../accounts/seal.ts'
import { sealedForFeedOf } from '../atom/owner.ts'
import { findSealedByOthers, replaceSealedRow, SEALED_TABLES, type SealedTable } from '../db/accounts/sealedRows.ts'
import type { Schema } from '../db/schema/schema.ts'
import type { Secret } from '../lib/secret.ts'

const BATCH = 1000
const FIRST = '00000000-0000-0000-0000-000000000000'

export interface Rotation {
  table: SealedTable
  moved: number
  /** No key that we have opens them. */
  unreadable: number
}

/** Seals whatever was sealed with another key anew with the first, while the service runs, in small steps. */
export async function rotateKeys(
  db: Kysely<Schema>,
  keys: Secret[],
  onStep: (rotation: Rotation) => void,
): Promise<Rotation[]> {
  const rotations: Rotation[] = []
  for (const table of Object.keys(SEALED_TABLES) as SealedTable[]) {
    const rotation: Rotation = { table, moved: 0, unreadable: 0 }
    await rotateTable(db, keys, rotation, onStep)
    rotations.push(rotation)
  }
  return rotations
}

async function rotateTable(
  db: Kysely<Schema>,
  keys: Secret[],
  rotation: Rotation,
  onStep: (rotation: Rotation) => void,
): Promise<void> {
  const { table } = rotation
  for (let after = FIRST; ; ) {
    const found = await findSealedByOthers(db, table, keyIdOf(keys), { after, limit: BATCH })
    if (!found) return
    for (const row of found.rows) {
      const owner = table === 'feed_addresses' ? sealedForFeedOf(row.id) : row.id
      const text = unseal(keys, row, owner)
      if (text === undefined) rotation.unreadable += 1
      else if (await replaceSealedRow(db, table, row, seal(keys, text, owner))) rotation.moved += 1
    }
    after = found.last
    if (found.rows.length > 0) onStep(rotation)
  }
}
