import type { Insertable, Kysely, Transaction } from 'kysely'
import type { HostTokenRow, Schema, UserRow, UsersTable } from '../schema/schema.ts'
import type { Owner } from './sessions.ts'

/**
 * The columns of an account besides its identity. Listed explicitly: during a rollout a newer version may add columns,
 * which `*` would return too.
 */
export const ACCOUNT_COLUMNS = [
  'users.host_user_id',
  'users.host_username',
  'users.host_display_name',
  'users.email',
  'users.avatar_url',
  'users.language',
  'users.created_at',
  'users.updated_at',
] as const

const USER_COLUMNS = ['users.id', 'users.issuer', 'users.subject', ...ACCOUNT_COLUMNS] as const

/** Returns undefined if the identity already has an account. */
export async function insertUser(db: Kysely<Schema>, user: Insertable<UsersTable>): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning(USER_COLUMNS)
    .executeTakeFirst()
}

export async function findUser(db: Kysely<Schema>, { issuer, subject }: Owner): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .select(USER_COLUMNS)
    .executeTakeFirst()
}

export async function hasUser(db: Kysely<Schema>, id: string): Promise<boolean> {
  return (await db.selectFrom('users').where('id', '=', id).select('id').executeTakeFirst()) !== undefined
}

export async function updateLanguage(
  db: Kysely<Schema>,
  id: string,
  language: string,
  now: Date,
): Promise<UserRow | undefined> {
  return db
    .updateTable('users')
    .set({ language, updated_at: now })
    .where('id', '=', id)
    .returning(USER_COLUMNS)
    .executeTakeFirst()
}

export type Profile = Pick<UserRow, 'host_username' | 'host_display_name' | 'email' | 'avatar_url'>

/** Locks the account until the transaction ends. Returns false if it is deleted. */
export async function lockUser(trx: Transaction<Schema>, id: string): Promise<boolean> {
  const row = await trx.selectFrom('users').where('id', '=', id).select('id').forNoKeyUpdate().executeTakeFirst()
  return row !== undefined
}

/** Copies the profile from the code host; writes nothing if it is unchanged. */
export async function updateProfile(db: Kysely<Schema>, owner: Owner, profile: Profile, now: Date): Promise<void> {
  const fields = Object.keys(profile) as (keyof Profile)[]
  await db
    .updateTable('users')
    .set({ ...profile, updated_at: now })
    .where('issuer', '=', owner.issuer)
    .where('subject', '=', owner.subject)
    .where((where) => where.or(fields.map((field) => where(field, 'is distinct from', profile[field]))))
    .execute()
}

/** Deletes the account and everything that belongs to it. Hashes of revoked tokens stay. */
export async function deleteUser(db: Kysely<Schema>, user: UserRow): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('users').where('id', '=', user.id).execute()
    await trx.deleteFrom('sessions').where('issuer', '=', user.issuer).where('subject', '=', user.subject).execute()
  })
}

export async function upsertHostToken(db: Kysely<Schema>, row: HostTokenRow): Promise<void> {
  const { user_id, ...token } = row
  await db
    .insertInto('host_tokens')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(token))
    .execute()
}

export async function findHostToken(db: Kysely<Schema>, userId: string): Promise<HostTokenRow | undefined> {
  return db
    .selectFrom('host_tokens')
    .where('user_id', '=', userId)
    .select(['user_id', 'key_id', 'sealed', 'saved_at', 'refused_at', 'paused_until'])
    .executeTakeFirst()
}

/** Updates only the token that was tried: a newer one may have been saved meanwhile. */
export async function markHostTokenRefused(db: Kysely<Schema>, tried: HostTokenRow, now: Date): Promise<void> {
  await updateExactly(db, tried, { refused_at: now })
}

/** Stores the time until which the code host rate-limits the token. */
export async function pauseHostToken(db: Kysely<Schema>, tried: HostTokenRow, until: Date): Promise<void> {
  await updateExactly(db, tried, { paused_until: until })
}

/** Stores the same token, sealed with another key. */
export async function replaceSealed(
  db: Kysely<Schema>,
  read: HostTokenRow,
  renewed: Pick<HostTokenRow, 'key_id' | 'sealed'>,
): Promise<void> {
  await updateExactly(db, read, renewed)
}

async function updateExactly(db: Kysely<Schema>, row: HostTokenRow, change: Partial<HostTokenRow>): Promise<void> {
  await db
    .updateTable('host_tokens')
    .set(change)
    .where('user_id', '=', row.user_id)
    .where('sealed', '=', row.sealed)
    .execute()
}
