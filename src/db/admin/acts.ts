import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { AdminActsTable } from '../schema/adminTables.ts'
import type { Schema } from '../schema/schema.ts'

/** Records what an operator did, in the same transaction. */
export async function insertAct(trx: Transaction<Schema>, act: Omit<AdminActsTable, 'id'>): Promise<string> {
  const id = randomUUIDv7()
  await trx
    .insertInto('admin_acts')
    .values({ id, ...act })
    .execute()
  return id
}

/** When an operator last resumed the service, which ends all pauses. */
export async function findLastResume(db: Kysely<Schema>): Promise<Date | undefined> {
  const row = await db
    .selectFrom('admin_acts')
    .where('act', '=', 'resume')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** What operators did, newest first. */
export async function findActs(db: Kysely<Schema>, limit: number): Promise<AdminActsTable[]> {
  return db
    .selectFrom('admin_acts')
    .select(['id', 'at', 'by', 'act', 'subject', 'note'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
