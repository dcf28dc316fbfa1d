import { extname } from 'node:path'
import type { Labels } from '../../src/writer/render/labels.ts'
import type { Schemas } from '../demo/api.ts'
import { codeSpan, fenced, item, oneLine, plain } from './markdownInline.ts'

type CodeSide = Schemas['CodeSide']

/** The Markdown blocks of a figure. */
export function figureMarkdown(figure: Schemas['Figure'], labels: Labels): string[] {
  if (figure.kind === 'code')
    return [
      ...captionOf(figure.caption),
      ...(figure.before ? sideMarkdown(figure.before, labels.old) : []),
      ...(figure.after ? sideMarkdown(figure.after, labels.new) : []),
    ]
  if (figure.kind === 'example')
    return [
      `${labels.example} (${labels.exampleNote})`,
      fenced(figure.text.split('\n'), figure.codeLanguage),
      ...captionOf(oneLine(figure.note)),
    ]
  return tableMarkdown(figure)
}

function sideMarkdown({ path, lines }: CodeSide, label: string): string[] {
  return [`${label} ${codeSpan(path)}`, fenced(withEllipses(lines), extname(path).slice(1))]
}

function withEllipses(lines: CodeSide['lines']): string[] {
  return lines.flatMap(({ number, text }, i) => {
    const previous = lines[i - 1]
    return previous && number !== previous.number + 1 ? ['…', text] : [text]
  })
}

function tableMarkdown({ caption, columns, rows }: Schemas['TableFigure']): string[] {
  const row = (cells: string[]) => `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [
    ...captionOf(plain(caption)),
    [row(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(row)].join('\n'),
  ]
}

/** A diagram as Markdown: one line for each edge, then the nodes without edges. */
export function diagramMarkdown({ caption, nodes, edges }: Schemas['Diagram']): string[] {
  const labelOf = (id: string) => plain(nodes.find((node) => node.id === id)?.label ?? id)
  const flows = edges.map(({ from, to, label }) =>
    item('-', `${labelOf(from)} → ${labelOf(to)}${label ? ` (${plain(label)})` : ''}`),
  )
  const alone = nodes.filter(({ id }) => !edges.some(({ from, to }) => from === id || to === id))
  return [...captionOf(plain(caption)), [...flows, ...alone.map(({ id }) => item('-', labelOf(id)))].join('\n')]
}

function captionOf(caption: string): string[] {
  return caption.trim() === '' ? [] : [`*${oneLine(caption)}*`]
}
