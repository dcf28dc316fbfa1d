import { html, type SafeHtml } from '@remix-run/html-template'
import { visible, visibleLine } from '../reading/visible.ts'
import { diagramText } from './diagramFlow.ts'
import type { Labels } from './labels.ts'
import { webAddress } from './renderMarkdown.ts'
import { tableOf } from './table.ts'
import type { CodeSide, View } from './view.ts'

/**
 * Figures for Atom entries, without drawings or classes, because feed readers lack our stylesheet and often drop
 * drawings.
 */
export function feedView(labels: Labels, phrase: (text: string) => SafeHtml): View {
  const caption = (text: string) => (text === '' ? '' : html`<p><em>${phrase(text)}</em></p>\n`)
  return {
    code: ({ before, after, caption: text }) =>
      html`${caption(text)}${before && codeBlock(labels.old, before)}${after && codeBlock(labels.new, after)}`,
    example: ({ text, note }) =>
      html`${caption(note)}<p><b>${labels.example}</b> ${labels.exampleNote}</p>\n<pre>${visible(text)}</pre>\n`,
    table: (figure) => html`${caption(figure.caption)}${tableOf(figure, phrase)}\n`,
    diagram: (diagram) =>
      html`<ul>${diagramText(diagram).map((line) => html`<li>${visibleLine(line)}</li>`)}</ul>\n${caption(diagram.caption)}`,
  }
}

function codeBlock(label: string, { path, lines, url }: CodeSide): SafeHtml {
  const text = lines.map(({ number, text }, i) => {
    const hasGap = i > 0 && number !== (lines[i - 1]?.number ?? 0) + 1
    return `${hasGap ? '⋯\n' : ''}${visibleLine(text)}`
  })
  return html`<p><b>${label}</b> <a href="${webAddress(url)}"><code>${visibleLine(path)}</code></a></p>\n<pre>${text.join('\n')}</pre>\n`
}
