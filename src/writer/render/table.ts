import { html, type SafeHtml } from '@remix-run/html-template'
import type { TableFigure } from './view.ts'

/** Renders a table. The first cell of each row is the header of the row. */
export function tableOf({ columns, rows }: TableFigure, phrase: (text: string) => SafeHtml): SafeHtml {
  const head = columns.map((column) => html`<th scope="col">${phrase(column)}</th>`)
  const body = rows.map(
    ([name = '', ...cells]) =>
      html`<tr><th scope="row">${phrase(name)}</th>${cells.map((cell) => html`<td>${phrase(cell)}</td>`)}</tr>\n`,
  )
  return html`<table><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table>`
}
