import type { Kysely } from 'kysely'
import { closeReport, findReport } from '../../db/mistakes/reports.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

export async function closeMistake(db: Kysely<Schema>, id: string, operator: Operator): Promise<Act> {
  if (!(await findReport(db, id))) throw new AdminError('There is no such report.')
  const act = { ...operator, act: 'close mistake', subject: id }
  await perform(db, act, async (trx) => {
    if (!(await closeReport(trx, id, operator.at))) throw new AdminError('This report is closed already.')
  })
  return act
}
