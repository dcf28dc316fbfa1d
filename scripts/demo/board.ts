import { styleText } from 'node:util'

interface Row {
  label: string
  title: string
  stage: string
  progress: number
  outcome?: { succeeded: boolean; text: string }
}

const BAR = 24

export type Board = ReturnType<typeof createBoard>

/** One row per subject: redrawn in place on a terminal, otherwise one line when it ends. */
export function createBoard(subjects: Pick<Row, 'label' | 'title'>[], output: NodeJS.WriteStream = process.stdout) {
  const width = Math.max(...subjects.map(({ label }) => label.length))
  const rows: Row[] = subjects.map(({ label, title }) => ({
    label: label.padEnd(width),
    title,
    stage: 'waiting',
    progress: 0,
  }))
  let isDrawn = false

  function draw(): void {
    const columns = output.columns || 80
    const up = isDrawn ? `\x1b[${rows.length}A` : ''
    isDrawn = true
    output.write(up + rows.map((row) => `\x1b[2K${lineOf(row, columns)}\n`).join(''))
  }

  function change(index: number, changes: Partial<Row>): void {
    const row = rows[index]
    if (!row) return
    Object.assign(row, changes)
    if (output.isTTY) draw()
    else if (row.outcome) output.write(`${markOf(row.outcome)} ${row.label}  ${row.outcome.text}\n`)
  }

  return {
    advance: (index: number, stage: string, progress: number) => change(index, { stage, progress }),
    succeed: (index: number, milliseconds: number) =>
      change(index, { progress: 1, outcome: { succeeded: true, text: `${Math.round(milliseconds)} ms` } }),
    fail: (index: number, message: string) => change(index, { outcome: { succeeded: false, text: message } }),
  }
}

function lineOf({ label, title, stage, progress, outcome }: Row, columns: number): string {
  const filled = Math.round(Math.min(Math.max(progress, 0), 1) * BAR)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled)
  const state = outcome?.succeeded === false ? outcome.text : `${(outcome?.text ?? stage).padEnd(11)}  ${title}`
  const text = ` ${label}  ${bar}  ${state}`
  // A wrapped line would count as two when the rows are redrawn.
  return `${markOf(outcome)}${text.slice(0, columns - 2)}`
}

function markOf(outcome: Row['outcome']): string {
  if (!outcome) return styleText('dim', '·')
  return outcome.succeeded ? styleText('green', '✓') : styleText('red', '✗')
}
