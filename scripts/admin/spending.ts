import { findSpending, type SpendingRow } from '../../src/db/admin/spending.ts'
import type { Command } from './command.ts'
import { count, table } from './print.ts'

const HEAD = ['REQUESTED', 'AUTOMATIC', 'TOKENS IN', 'TOKENS OUT', 'COST']

export const spending: Command = {
  ...{ words: 0, options: ['days', 'per'], kind: 'list' },
  async run({ db, options: { days, per }, operator }) {
    const rows = await findSpending(db, { per, days }, operator.at)
    const all = rows.length > 1 ? [...rows, rows.reduce(added, { ...EMPTY, group: 'all' })] : rows
    const text = table([per.toUpperCase(), ...HEAD], all.map(lineOf))
    const unpriced = rows.reduce((sum, { unpriced_tokens }) => sum + unpriced_tokens, 0)
    return { rows, text: unpriced > 0 ? `${text}\n\n${noteOn(unpriced)}` : text }
  },
}

const EMPTY = { requested: 0, automatic: 0, input_tokens: 0, output_tokens: 0, cost: 0, unpriced_tokens: 0 }

function added(sum: SpendingRow, row: SpendingRow): SpendingRow {
  return {
    ...sum,
    requested: sum.requested + row.requested,
    automatic: sum.automatic + row.automatic,
    input_tokens: sum.input_tokens + row.input_tokens,
    output_tokens: sum.output_tokens + row.output_tokens,
    cost: sum.cost + row.cost,
  }
}

function lineOf({ group, requested, automatic, input_tokens, output_tokens, cost }: SpendingRow): string[] {
  return [group, ...[requested, automatic, input_tokens, output_tokens].map(count), cost.toFixed(4)]
}

function noteOn(unpriced: number): string {
  return `COST lacks ${count(unpriced)} tokens of models without a price: see MODEL_PRICES_PER_MILLION_TOKENS.`
}
