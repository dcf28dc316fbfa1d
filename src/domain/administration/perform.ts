import type { Kysely, Transaction } from 'kysely'
import { insertAct } from '../../db/admin/acts.ts'
import type { AdminActsTable } from '../../db/schema/adminTables.ts'
import type { Schema } from '../../db/schema/schema.ts'

/** Who acts, when and why. */
export type Operator = Pick<AdminActsTable, 'at' | 'by' | 'note'>

export type Act = Omit<AdminActsTable, 'id'>

/** A request that makes no sense. The message is for the operator. */
export class AdminError extends Error {}

/** Does something and records it, or neither. `work` gets the id of the act. */
export async function perform<T>(
  db: Kysely<Schema>,
  act: Act,
  work: (trx: Transaction<Schema>, id: string) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => work(trx, await insertAct(trx, act)))
}
