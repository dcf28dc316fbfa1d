import type { Kysely } from 'kysely'
import { endPauses } from '../../db/jobs/pauses.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

/**
 * Ends the pauses of the model and of automatic articles on all nodes, even if the model or the code host asked for
 * longer ones. A code host that still refuses the next call pauses automatic articles again. Pauses of users' tokens
 * stay.
 */
export async function resume(db: Kysely<Schema>, operator: Operator): Promise<Act> {
  const act = { ...operator, act: 'resume', subject: 'model and automatic articles' }
  await perform(db, act, async (trx) => {
    if ((await endPauses(trx, operator.at)).length === 0) throw new AdminError('Nothing is paused.')
  })
  return act
}
