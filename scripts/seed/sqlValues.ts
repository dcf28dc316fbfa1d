import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { localSettingsOf, NO_TIMEOUTS } from '../../src/db/engine/settings.ts'
import type { Schema } from '../../src/db/schema/schema.ts'

/**
 * Ids of seeded users and repositories start here, in a range that no code host uses. All have the same number of
 * digits.
 */
export const FIRST_ID = 8_000_000_000_000_000
export const LAST_ID = 8_999_999_999_999_999

/** The values that all rows of a run depend on. */
export interface Run {
  now: Date
  seed: number
}

/** 60 bits that depend only on the text and the seed. */
export function bitsOf(text: RawBuilder<unknown>, seed: number): RawBuilder<unknown> {
  return sql`(hashtextextended(${text}, ${sql.lit(seed)}) & 1152921504606846975)`
}

/** A UUID version 7 from a time and up to 60 bits. */
export function idAt(time: RawBuilder<unknown>, bits: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    lpad(to_hex((date_part('epoch', ${time}) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(${bits}), 15, '0')
  )::uuid`
}

export function timeOf(date: Date): RawBuilder<unknown> {
  return sql`${sql.lit(date.toISOString())}::timestamptz`
}

/** A table of the numbers `n` from `from` up to, but not including, `to`. */
export function numbers({ from, to }: { from: number; to: number }): RawBuilder<unknown> {
  return sql`generate_series(${sql.lit(from)}::bigint, ${sql.lit(to - 1)}) n`
}

/** Runs a transaction whose statements may take long. */
export async function inBulk<T>(db: Kysely<Schema>, work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const settings = { ...NO_TIMEOUTS, synchronous_commit: 'off', work_mem: '64MB' }
    await sql.raw(localSettingsOf(settings)).execute(trx)
    return work(trx)
  })
}
