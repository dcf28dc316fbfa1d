import { styleText } from 'node:util'
import { pageColumns } from '../terminal/columns.ts'
import { wrap } from '../terminal/wrap.ts'
import type { Schemas } from './api.ts'
import type { Article } from './press.ts'
import { printedFigure } from './printFigure.ts'

type Content = Schemas['ArticleContent']
type Evidence = Schemas['Evidence']
type CoveredFile = Schemas['CoveredFile']

/** An article as text, in English or any language if it is missing in this one. */
export function printed(article: Article, language: string): string {
  const content = article.contents[language] ?? article.contents['en'] ?? Object.values(article.contents)[0]
  if (!content) return ''
  const place = `${article.repositoryFullName}#${article.prNumber} by ${article.authorLogin}: ${article.title}`
  const { lead, impact } = content
  return [
    styleText('bold', wrapped(content.aiGeneratedTitle)),
    styleText('dim', wrapped(place)),
    ...(lead ? ['', wrapped(lead.text)] : []),
    ...(impact ? ['', ...impactLines(impact)] : []),
    ...whyLines(content),
    ...content.mainChanges.flatMap(sectionLines),
    ...(content.notablePoints.length > 0 ? ['', heading('What to watch out for')] : []),
    ...content.notablePoints.map(({ categories, point, evidence }) =>
      claim(`[${categories.join(', ')}]`, point, evidence),
    ),
    '',
    styleText('dim', wrapped(coverageOf(content))),
    styleText('dim', wrapped(writerOf(content))),
  ].join('\n')
}

function impactLines({ affected, compatibility, reason, action }: NonNullable<Content['impact']>): string[] {
  const facts = [
    ['Affects', affected],
    ['Compatibility', `${compatibility}: ${reason}`],
    ['Action', action ?? 'none'],
  ]
  return facts.map(([name, text]) => wrapped(`${name}: ${text}`, '  '))
}

/** The reasons, and the quotes that their text does not contain. */
function whyLines({ reasons, backgroundAndPurpose }: Content): string[] {
  if (!backgroundAndPurpose) return []
  const sources = reasons.flatMap((reason) => reason.sources)
  const further = sources.filter(({ quote }) => !backgroundAndPurpose.includes(quote))
  return [
    '',
    heading('Why'),
    wrapped(backgroundAndPurpose, '  '),
    ...further.map(({ kind, quote }) => styleText('dim', wrapped(`“${quote}” (${kind})`, '    '))),
  ]
}

function sectionLines(change: Content['mainChanges'][number]): string[] {
  const { heading: title, fileName, changeTypes, description, figures, evidence } = change
  return [
    '',
    heading(title ?? fileName),
    claim(`${fileName} [${changeTypes.join(', ')}]`, description, evidence),
    ...figures.flatMap((figure) => ['', ...printedFigure(figure, '    ')]),
  ]
}

function claim(title: string, text: string, evidence: Evidence[]): string {
  const cited = wrapped(`→ ${evidence.map(citation).join(', ')}`, '    ')
  return [`  ${styleText('cyan', title)}`, wrapped(text, '    '), styleText('dim', cited)].join('\n')
}

function citation({ path, side, startLine, endLine }: Evidence): string {
  if (startLine === null) return path
  const lines = endLine === null || endLine === startLine ? startLine : `${startLine}–${endLine}`
  return `${path}:${lines}${side === 'old' ? ' (before)' : ''}`
}

function coverageOf({ coverage }: Content): string {
  const { changedFiles, read, notListed, files, secretsMasked, claimsDropped } = coverage
  return [
    `Read ${read} of ${changedFiles} files`,
    ...named('partly read', 'partlyRead', files),
    ...named('skipped', 'skipped', files),
    ...(notListed > 0 ? [`not listed by the code host: ${notListed}`] : []),
    ...(secretsMasked > 0 ? [`secrets masked: ${secretsMasked}`] : []),
    ...(claimsDropped > 0 ? [`dropped claims: ${claimsDropped}`] : []),
  ].join('; ')
}

function named(label: string, state: CoveredFile['state'], files: CoveredFile[]): string[] {
  const matching = files.filter((file) => file.state === state)
  return matching.length > 0
    ? [`${label}: ${matching.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`]
    : []
}

function writerOf({ generator }: Content): string {
  const { kind, model, inputTokens, outputTokens, calls, milliseconds, translatedFrom } = generator
  if (kind === 'outline')
    return `An outline, written without a model in ${milliseconds} ms. Set OPENAI_API_KEY to use one.`
  const translated = translatedFrom ? `, translated from ${translatedFrom}` : ''
  const cost = `${calls} calls, ${inputTokens} input and ${outputTokens} output tokens, ${milliseconds} ms`
  return `Written by ${model ?? 'a model'}${translated}: ${cost}.`
}

function heading(text: string): string {
  return styleText('bold', text)
}

function wrapped(text: string, indent = ''): string {
  return wrap(text, pageColumns(), indent)
}
