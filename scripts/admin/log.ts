import { findActs } from '../../src/db/admin/acts.ts'
import type { Command } from './command.ts'
import { table, time } from './print.ts'

export const log: Command = {
  ...{ words: 0, options: ['limit'], kind: 'list' },
  async run({ db, options: { limit } }) {
    const rows = await findActs(db, limit)
    const lines = rows.map(({ at, by, act, subject, note }) => [time(at), by, act, subject, note ?? ''])
    return { rows, text: table(['AT', 'BY', 'ACT', 'SUBJECT', 'NOTE'], lines) }
  },
}
