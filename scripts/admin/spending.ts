import { findSpending } from '../../src/db/admin/spending.ts'
import type { Command } from './command.ts'
import { count, table } from './print.ts'

const HEAD = ['DAY', 'REQUESTED', 'TOKENS IN', 'OUT', 'AUTOMATIC', 'TOKENS IN', 'OUT', 'COUNTED']

export const spending: Command = {
  ...{ words: 0, options: ['days'], kind: 'list' },
  async run({ db, options: { days }, operator }) {
    const rows = await findSpending(db, days, operator.at)
    const lines = rows.map((row) => [
      ...[row.day, count(row.requested), count(row.requested_input_tokens), count(row.requested_output_tokens)],
      ...[count(row.automatic), count(row.automatic_input_tokens), count(row.automatic_output_tokens)],
      row.tokens === null ? '-' : count(row.tokens),
    ])
    return { rows, text: table(HEAD, lines) }
  },
}
