import { findReports } from '../../src/db/mistakes/reports.ts'
import { closeMistake } from '../../src/domain/administration/mistakes.ts'
import { AdminError } from '../../src/domain/administration/perform.ts'
import { pageAddress } from '../../src/web/pages/addresses.ts'
import { isId } from '../../src/web/pages/page.ts'
import { pageColumns } from '../terminal/columns.ts'
import { wrap } from '../terminal/wrap.ts'
import type { Command } from './command.ts'
import { plain, plainLines, time } from './print.ts'

type Report = Awaited<ReturnType<typeof findReports>>[number]

export const mistakes: Command = {
  ...{ words: 0, options: ['limit', 'all'], kind: 'list' },
  async run({ db, config, options: { limit, all } }) {
    const origin = config.publicUrl?.origin ?? ''
    const reports = await findReports(db, { limit, isAll: all })
    const rows = reports.map((report) => ({
      ...report,
      article: origin + pageAddress(report.article_id, report.language),
    }))
    return { rows, text: rows.map(blockOf).join('\n\n') || 'None.' }
  },
}

/** A report as a block of lines, because it is too long for a table. */
function blockOf({
  id,
  article,
  language,
  description,
  quote,
  created_at,
  closed_at,
  login,
}: Report & { article: string }) {
  const state = closed_at ? `closed ${time(closed_at)}` : 'open'
  const text = (lines: string) => wrap(plainLines(lines), pageColumns(), '  ')
  return [
    `${id}  ${time(created_at)}  ${state}`,
    `  ${article}`,
    `  ${language}, reported by ${plain(login)}`,
    ...(quote ? [text(`> ${quote.replaceAll('\n', '\n> ')}`)] : []),
    text(description),
  ].join('\n')
}

export const closeMistakeOf: Command = {
  ...{ words: 1, options: [], kind: 'act' },
  async run({ db, words: [id = ''], operator }) {
    if (!isId(id))
      throw new AdminError('There is no such report. The command takes the id that `mistakes` shows first.')
    return { acts: [await closeMistake(db, id, operator)] }
  },
}
