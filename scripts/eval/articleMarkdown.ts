import { type Labels, labelsFor } from '../../src/writer/render/labels.ts'
import type { Schemas } from '../demo/api.ts'
import { diagramMarkdown, figureMarkdown } from './figureMarkdown.ts'
import { item, oneLine, plain, quoted } from './markdownInline.ts'

export type Content = Schemas['ArticleContent']

/**
 * An article as its reader sees it, without the folded parts: citations, coverage and generator. Nothing in the
 * Markdown tells which prompts or which model wrote it.
 */
export function articleMarkdown(content: Content, language: string): string {
  const labels = labelsFor(language)
  const blocks = [
    `# ${oneLine(content.aiGeneratedTitle)}`,
    ...(content.lead ? [withBasis(content.lead.text, content.lead.basis, labels)] : []),
    ...(content.impact ? [impactMarkdown(content.impact, labels)] : []),
    ...whyMarkdown(content, labels),
    ...changesMarkdown(content.mainChanges, labels),
    ...(content.diagram ? diagramMarkdown(content.diagram) : []),
    ...pointsMarkdown(content.notablePoints, labels),
    ...mismatchesMarkdown(content.mismatches, labels),
    ...termsMarkdown(content.terms, labels),
  ]
  return `${blocks.join('\n\n')}\n`
}

function impactMarkdown(impact: Schemas['Impact'], labels: Labels): string {
  const { affected, compatibility, reason, action, since } = impact
  const lines: [string, string][] = [
    [labels.affected, affected],
    [labels.compatibility, `${labels.compatibilities[compatibility]} — ${reason}`],
    [labels.action, action ?? labels.noAction],
    ...(since === null ? [] : [[labels.since, since] as [string, string]]),
  ]
  // Two spaces at the end of a line keep the line break.
  return quoted(lines.map(([label, text]) => `**${label}**: ${oneLine(text)}`)).replaceAll('\n', '  \n')
}

function whyMarkdown({ reasons, backgroundAndPurpose }: Content, labels: Labels): string[] {
  if (reasons.length > 0) {
    const quotes = reasons.flatMap(({ sources }) => sources).map((source) => quoteMarkdown(source, labels))
    return [`## ${labels.why}`, ...reasons.map(({ text, basis }) => withBasis(text, basis, labels)), ...quotes]
  }
  return backgroundAndPurpose === null ? [] : [`## ${labels.background}`, backgroundAndPurpose]
}

/** A quote of a source. Quotes come after the reasons, so that they do not interrupt the text. */
function quoteMarkdown({ kind, quote }: Schemas['Source'], labels: Labels): string {
  return quoted([`${plain(quote)}`, `— ${labels.sources[kind]}`])
}

function changesMarkdown(changes: Schemas['MainChange'][], labels: Labels): string[] {
  return changes.flatMap(({ heading, description, basis, figures }) => [
    `## ${oneLine(heading ?? '')}`,
    withBasis(description, basis, labels),
    ...figures.flatMap((figure) => figureMarkdown(figure, labels)),
  ])
}

function pointsMarkdown(points: Schemas['NotablePoint'][], labels: Labels): string[] {
  if (points.length === 0) return []
  const items = points.map(({ point, basis }, i) => item(`${i + 1}.`, withBasis(point, basis, labels)))
  return [`## ${labels.cautions}`, items.join('\n')]
}

function mismatchesMarkdown(mismatches: Schemas['Mismatch'][], labels: Labels): string[] {
  if (mismatches.length === 0) return []
  return [`## ${labels.mismatches}`, ...mismatches.flatMap(({ text, quote }) => [quoted([plain(quote)]), text])]
}

function termsMarkdown(terms: Schemas['Term'][], labels: Labels): string[] {
  if (terms.length === 0) return []
  return [
    `## ${labels.terms}`,
    terms.map(({ term, meaning }) => item('-', `**${plain(term)}**: ${meaning}`)).join('\n'),
  ]
}

/** Marks a statement that is not based on the diff, as unobtrusively as the pages do. */
function withBasis(text: string, basis: string | null, { bases }: Labels): string {
  if (basis !== 'inferred' && basis !== 'general') return text
  return `${text} *(${bases[basis].mark})*`
}
