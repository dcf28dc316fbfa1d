import { styleText } from 'node:util'
import type { Schemas } from './api.ts'

type Side = Schemas['CodeSide']

/** An article as text: title, lead, reasons and sections, each with the lines that it cites. */
export function printed(article: Schemas['PullRequestArticle'], language: string): string {
  const content = article.contents[language]
  if (!content) return ''
  const { aiGeneratedTitle, lead, backgroundAndPurpose, mainChanges, notablePoints, coverage, generator } = content
  const blocks = [
    `${heading(aiGeneratedTitle)}\n${article.repositoryFullName}#${article.prNumber} by ${article.authorLogin}`,
    lead && withCitations(lead.text, lead.evidence),
    backgroundAndPurpose && `${heading('Why')}\n${backgroundAndPurpose}`,
    ...mainChanges.flatMap(({ heading: title, fileName, description, figures, evidence }) => [
      `${heading(title ?? fileName)}\n${withCitations(description, evidence)}`,
      ...figures.map(figure),
    ]),
    notablePoints.length > 0 && heading('What to watch out for'),
    ...notablePoints.map(({ point, evidence }) => withCitations(point, evidence)),
    `Read ${coverage.read} of ${coverage.changedFiles} files. ${writer(generator)}`,
  ]
  return blocks.filter(Boolean).join('\n\n')
}

function heading(text: string): string {
  return styleText('bold', text)
}

function withCitations(text: string, evidence: Schemas['Evidence'][]): string {
  const cited = evidence.map(({ path, startLine, endLine }) => {
    const lines = startLine === endLine ? [startLine] : [startLine, endLine]
    return [path, lines.filter(Boolean).join('–')].filter(Boolean).join(':')
  })
  return cited.length > 0 ? `${text}\n→ ${cited.join(', ')}` : text
}

function figure(shown: Schemas['Figure']): string {
  const lines = (side: Side | null, mark: string) =>
    side?.lines.map(({ number, text }) => `${String(number).padStart(6)} ${mark} ${text}`) ?? []
  if (shown.kind === 'code') return [...lines(shown.before, '-'), ...lines(shown.after, '+')].join('\n')
  if (shown.kind === 'example') return `Example (an illustration):\n${shown.text}`
  return [shown.columns, ...shown.rows].map((row) => row.join(' | ')).join('\n')
}

function writer({ kind, model, calls, milliseconds }: Schemas['ArticleContent']['generator']): string {
  if (kind === 'outline') return 'An outline, written without a model. Set OPENAI_API_KEY to use one.'
  return `Written by ${model ?? 'a model'} with ${calls} calls in ${milliseconds} ms.`
}
