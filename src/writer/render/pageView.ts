import { html, type SafeHtml } from '@remix-run/html-template'
import type { Side } from '../reading/hunks.ts'
import { visible, visibleLine } from '../reading/visible.ts'
import type { IsChanged } from './changedLines.ts'
import { diagramSvg } from './diagram.ts'
import type { highlighter } from './highlight.ts'
import type { Labels } from './labels.ts'
import { codeSpan, proseText, webAddress } from './renderMarkdown.ts'
import { tableOf } from './table.ts'
import type { CodeFigure, CodeSide, ExampleFigure, View } from './view.ts'

interface FigureRenderers {
  labels: Labels
  phrase: (text: string) => SafeHtml
  highlight: Awaited<ReturnType<typeof highlighter>>
  isChanged: IsChanged
}

const MAX_LABEL_CHARACTERS = 200

/** Figures for the pages: code with line numbers and colors, diagrams as drawings. */
export function pageView(renderers: FigureRenderers): View {
  const { labels, phrase } = renderers
  return {
    code: (figure) => codeFigure(figure, renderers),
    example: (figure) => exampleFigure(figure, renderers),
    table(figure) {
      const name = proseText(figure.caption || figure.columns.join(', '), MAX_LABEL_CHARACTERS)
      return html`<figure>${captionOf(figure.caption, phrase)}<div class="scroll" tabindex="0" role="group" aria-label="${name}">${tableOf(figure, phrase)}</div></figure>\n`
    },
    diagram: (diagram) =>
      html`<figure>${captionOf(diagram.caption, phrase)}<div class="scroll" tabindex="0" role="group" aria-label="${labels.diagram}">${diagramSvg(diagram, 'diagram')}</div></figure>\n`,
  }
}

function codeFigure({ before, after, caption }: CodeFigure, renderers: FigureRenderers): SafeHtml {
  const sides = [before && codeSide('old', before, renderers), after && codeSide('new', after, renderers)]
  return html`<figure class="${before && after ? 'code two' : 'code'}">${captionOf(caption, renderers.phrase)}<div class="sides">${sides}</div></figure>\n`
}

function codeSide(
  side: Side,
  { path, lines, url }: CodeSide,
  { labels, highlight, isChanged }: FigureRenderers,
): SafeHtml {
  const [name, changedClass] = [visibleLine(path), side === 'old' ? 'removed' : 'added']
  const texts = lines.map(({ text }) => visibleLine(text))
  const coloured = highlight(texts, path)
  const changed = lines.map(({ number }) => isChanged(side, path, number))
  // If all lines have changed, marks on them would tell nothing.
  const hasMarks = changed.includes(false)
  const rows = lines.map(({ number }, i) => {
    const gap = i > 0 && number !== (lines[i - 1]?.number ?? 0) + 1 ? html`<span class="gap">⋯\n</span>` : ''
    const mark = hasMarks && changed[i] ? html` class="${changedClass}"` : ''
    return html`${gap}<span data-n="${number}"${mark}>${coloured[i]}\n</span>`
  })
  return html`<div class="side"><p class="file"><b>${labels[side]}</b> <a href="${webAddress(url)}" rel="external">${codeSpan(name)}</a></p><pre class="lines" tabindex="0" role="group" aria-label="${labels[side]} ${name}" dir="ltr"><code>${rows}</code></pre></div>`
}

function exampleFigure(
  { codeLanguage, text, note }: ExampleFigure,
  { labels, phrase, highlight }: FigureRenderers,
): SafeHtml {
  const lines = visible(text.replaceAll('\t', '  ')).split('\n')
  const rows = highlight(lines, codeLanguage).map((line) => html`${line}\n`)
  return html`<figure class="example">${captionOf(note, phrase)}<div class="side"><p class="file"><b>${labels.example}</b> ${labels.exampleNote}</p><pre tabindex="0" role="group" aria-label="${labels.example}" dir="ltr"><code>${rows}</code></pre></div></figure>\n`
}

function captionOf(text: string, phrase: FigureRenderers['phrase']): SafeHtml {
  return text === '' ? html`` : html`<figcaption>${phrase(text)}</figcaption>`
}
