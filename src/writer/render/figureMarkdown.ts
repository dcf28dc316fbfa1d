import type { StoredContent } from '../content.ts'
import { visibleLine } from '../reading/visible.ts'
import type { Citations } from './citationMarkdown.ts'
import { fenceName } from './codeLanguages.ts'
import { diagramText } from './diagramFlow.ts'
import type { Labels } from './labels.ts'
import { fenced, plain, prose, table } from './markdownText.ts'
import type { CodeSide } from './view.ts'

type Figure = StoredContent['mainChanges'][number]['figures'][number]

export function figureMarkdown(figure: Figure, labels: Labels, { place }: Citations): string {
  if (figure.kind === 'table') return paragraphs([prose(figure.caption), table(figure.columns, figure.rows)])
  if (figure.kind === 'example')
    return paragraphs([
      prose(figure.note),
      `**${labels.example}** ${labels.exampleNote}`,
      fenced(figure.text.trimEnd(), fenceName(figure.codeLanguage, [])),
    ])
  const side = (label: string, shown: CodeSide | null) =>
    shown && `**${label}** ${place(shown)}\n\n${fenced(codeOf(shown), fenceName(shown.path, textsOf(shown)))}`
  return paragraphs([prose(figure.caption), side(labels.old, figure.before), side(labels.new, figure.after)])
}

/** A diagram as a list of its flows. */
export function diagramMarkdown(diagram: NonNullable<StoredContent['diagram']>): string {
  const flows = diagramText(diagram).map((flow) => `- ${plain(flow)}`)
  return paragraphs([prose(diagram.caption), flows.join('\n')])
}

/** Joins the texts that are not empty. */
export function paragraphs(texts: (string | null)[]): string {
  return texts.filter(Boolean).join('\n\n')
}

function textsOf({ lines }: CodeSide): string[] {
  return lines.map(({ text }) => visibleLine(text))
}

/** The lines of a figure, with a mark where lines were left out. */
function codeOf({ lines }: CodeSide): string {
  const texts = lines.map(({ number, text }, i) => {
    const hasGap = i > 0 && number !== (lines[i - 1]?.number ?? 0) + 1
    return `${hasGap ? '⋯\n' : ''}${visibleLine(text)}`
  })
  return texts.join('\n')
}
