import type { Kysely } from 'kysely'
import { mayAct } from '../accounts/accountState.ts'
import type { FeedAddressesTable, Schema } from '../schema/schema.ts'

export async function findFeedAddress(db: Kysely<Schema>, userId: string) {
  return db.selectFrom('feed_addresses').where('user_id', '=', userId).select(['key_id', 'sealed']).executeTakeFirst()
}

/** Stores a new feed URL for a user. The old URL stops working. */
export async function replaceFeedAddress(db: Kysely<Schema>, row: FeedAddressesTable): Promise<void> {
  await db
    .insertInto('feed_addresses')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

export async function findFeedOwner(db: Kysely<Schema>, keyHash: Buffer) {
  return db
    .selectFrom('feed_addresses')
    .innerJoin('users', 'users.id', 'feed_addresses.user_id')
    .where('feed_addresses.key_hash', '=', keyHash)
    .where(mayAct)
    .select(['users.id', 'users.host_username', 'users.language'])
    .executeTakeFirst()
}
