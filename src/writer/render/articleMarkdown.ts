import type { ArticleContent, StoredContent } from '../content.ts'
import type { Evidence } from '../evidence.ts'
import { type Citations, linked, referencesOf, unlinked } from './citationMarkdown.ts'
import { diagramMarkdown, figureMarkdown, paragraphs } from './figureMarkdown.ts'
import { type ArticleFacts, headMarkdown } from './headMarkdown.ts'
import { type Labels, labelsFor } from './labels.ts'
import { inlineCode, link, phrase, plain, prose } from './markdownText.ts'
import { citedFilesMarkdown, citedLinesMarkdown, coverageMarkdown } from './supportMarkdown.ts'

/** A stored text, or one as the API serves it. */
export type ShownContent = StoredContent & Partial<Pick<ArticleContent, 'stale'>>
type Impact = NonNullable<StoredContent['impact']>
type Basis = StoredContent['reasons'][number]['basis'] | null

interface Renderers {
  labels: Labels
  citations: Citations
}

interface Options {
  /** Whether places are links. Otherwise a list at the end links each cited file once. */
  hasLinks?: boolean
}

/** A part of an article, without its heading. */
export interface MarkdownBlock {
  /** Blocks of the same section share this object. */
  section: { heading: string | null }
  markdown: string
  /** The most important block has the lowest rank. */
  rank: number
}

/**
 * An article in one language as Markdown. It holds everything that its page shows, and the cited lines if the evidence
 * has them.
 */
export function articleMarkdown(facts: ArticleFacts, content: ShownContent, language: string): string {
  return joinBlocks(articleBlocks(facts, content, language))
}

/** The blocks of an article in the order of reading, for answers of limited length. */
export function articleBlocks(
  facts: ArticleFacts,
  content: ShownContent,
  language: string,
  { hasLinks = true }: Options = {},
): MarkdownBlock[] {
  const labels = labelsFor(language)
  const citations = hasLinks ? linked(content, labels) : unlinked(labels)
  const renderers = { labels, citations }
  const { lead, impact, diagram, terms } = content
  const top = [
    headMarkdown(facts, content, labels),
    lead && claim(lead.text, lead, renderers),
    impact && impactMarkdown(impact, renderers),
  ]
  return [
    ...section(null, top, (i) => i),
    ...why(content, renderers),
    ...section(labels.diagram, [diagram && diagramMarkdown(diagram)], () => RANKS.diagram),
    ...changes(content, renderers),
    ...points(content, renderers),
    ...mismatches(content, renderers),
    ...section(labels.terms, [termsMarkdown(terms)], () => RANKS.terms),
    ...section(null, [coverageMarkdown(content.coverage, labels)], () => RANKS.coverage),
    ...(hasLinks ? [] : section(labels.citedFiles, [citedFilesMarkdown(content, facts.hostPrUrl)], () => RANKS.files)),
    ...section(labels.citedLines, citedLinesMarkdown(content, labels, citations), (i) => RANKS.lines + i),
    ...(hasLinks ? section(null, [referencesOf(content)], () => RANKS.references) : []),
  ].filter(({ markdown }) => markdown !== '')
}

/** Blocks in the order of reading, each section with its heading. */
export function joinBlocks(blocks: MarkdownBlock[]): string {
  const texts = blocks.map(({ section, markdown }, i) => {
    const begins = section.heading !== null && section !== blocks[i - 1]?.section
    return begins ? `## ${section.heading}\n\n${markdown}` : markdown
  })
  return `${texts.join('\n\n')}\n`
}

/**
 * Ranks of blocks. The first change with its code, the first caution and the first mismatch come before the second of
 * each. Lines that support claims come last.
 */
const RANKS = {
  change: 10,
  reasons: 1000,
  diagram: 2000,
  coverage: 2500,
  terms: 3000,
  files: 4000,
  references: 4000,
  lines: 5000,
}

function section(heading: string | null, texts: (string | null)[], rankOf: (index: number) => number): MarkdownBlock[] {
  const shared = { heading }
  return texts.map((markdown, i) => ({ section: shared, markdown: markdown ?? '', rank: rankOf(i) }))
}

function claim(
  text: string,
  { basis = null, evidence }: { basis?: Basis; evidence: Evidence[] },
  { labels, citations }: Renderers,
): string {
  const mark = basis === 'inferred' || basis === 'general' ? labels.bases[basis].mark : ''
  const support = [mark, citations.cite(evidence)].filter(Boolean).join(' · ')
  return paragraphs([prose(text), support && `(${support})`])
}

function impactMarkdown(impact: Impact, { labels, citations }: Renderers): string {
  const { affected, compatibility, reason, action, since, evidence } = impact
  const places = citations.cite(evidence)
  const rows = [
    [labels.affected, phrase(affected)],
    [
      labels.compatibility,
      `${labels.compatibilities[compatibility]} — ${phrase(reason)}${places === '' ? '' : ` (${places})`}`,
    ],
    [labels.action, action === null ? labels.noAction : phrase(action)],
    ...(since === null ? [] : [[labels.since, plain(since)]]),
  ]
  return rows.map(([name, value]) => `- **${name}**: ${value}`).join('\n')
}

function why({ reasons, backgroundAndPurpose }: StoredContent, renderers: Renderers): MarkdownBlock[] {
  const { labels } = renderers
  const told = reasons.map((reason) => {
    const quotes = reason.sources.map(({ kind, quote, url }) => quotation(quote, link(labels.sources[kind], url)))
    return paragraphs([claim(reason.text, reason, renderers), ...quotes])
  })
  if (told.length > 0) return section(labels.why, told, (i) => RANKS.reasons + i)
  return section(labels.background, [backgroundAndPurpose && prose(backgroundAndPurpose)], () => RANKS.reasons)
}

function changes({ mainChanges }: StoredContent, renderers: Renderers): MarkdownBlock[] {
  const { labels, citations } = renderers
  return mainChanges.flatMap((change, i) => {
    const file = inlineCode(change.fileName)
    const types = change.changeTypes.map((type) => labels.changeTypes[type])
    const text = paragraphs([[file, ...types].join(' · '), claim(change.description, change, renderers)])
    const figures = change.figures.map((figure) => figureMarkdown(figure, labels, citations))
    const rank = RANKS.change * (i + 1)
    return section(plain(change.heading ?? '') || file, [text, ...figures], (j) => rank + (j === 0 ? 0 : 1))
  })
}

function points({ notablePoints }: StoredContent, renderers: Renderers): MarkdownBlock[] {
  const { labels } = renderers
  const texts = notablePoints.map((point) => {
    const categories = point.categories.map((category) => labels.categories[category]).join(' · ')
    return paragraphs([`**${categories}**`, claim(point.point, point, renderers)])
  })
  return section(labels.cautions, texts, (i) => RANKS.change * (i + 1) + 2)
}

function mismatches({ mismatches: found }: StoredContent, renderers: Renderers): MarkdownBlock[] {
  const { labels } = renderers
  const texts = found.map((mismatch) =>
    paragraphs([quotation(mismatch.quote, labels.sources.description), claim(mismatch.text, mismatch, renderers)]),
  )
  return section(labels.mismatches, texts, (i) => RANKS.change * (i + 1) + 3)
}

function quotation(quote: string, source: string): string {
  return `> “${plain(quote)}” — ${source}`
}

function termsMarkdown(terms: StoredContent['terms']): string {
  return terms.map(({ term, meaning }) => `- **${phrase(term)}**: ${phrase(meaning)}`).join('\n')
}
