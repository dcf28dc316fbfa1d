import type { Kysely, Transaction } from 'kysely'
import { insertAct } from '../../db/admin/acts.ts'
import type { AdminActsTable } from '../../db/schema/adminTables.ts'
import type { Schema } from '../../db/schema/schema.ts'

/** The operator who acts, the time and the reason. */
export type Operator = Pick<AdminActsTable, 'at' | 'by' | 'note'>

export type Act = Omit<AdminActsTable, 'id'>

/** A command that cannot be carried out. The message is for the operator. */
export class AdminError extends Error {}

/** Does the work and records the act in one transaction. `work` gets the id of the recorded act. */
export async function perform<T>(
  db: Kysely<Schema>,
  act: Act,
  work: (trx: Transaction<Schema>, id: string) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => work(trx, await insertAct(trx, act)))
}
