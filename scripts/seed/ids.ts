import { type RawBuilder, sql } from 'kysely'

/** Ids of seeded users and repositories, in a range that no code host uses. All have the same number of digits. */
export const FIRST_ID = 8_000_000_000_000_000
export const LAST_ID = 8_999_999_999_999_999

/** 60 bits that are deterministic for a text. */
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
