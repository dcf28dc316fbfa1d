import type { ListedArticle } from '../../domain/lists/articlesPage.ts'
import { clip } from '../../lib/clip.ts'
import { pageAddress } from '../pages/addresses.ts'
import { estimateTokens } from './tokenEstimate.ts'
import { oneLine } from './untrusted.ts'

/** Tokens reserved for the parts of an answer other than its entries. */
export const RESERVED_TOKENS = 500
/** Tokens of the separators after an entry, in JSON and in the text. */
const SEPARATOR_TOKENS = 2
const MIN_AFFECTED_CHARACTERS = 160

export type Listed = ReturnType<typeof toListed>

export function tokensOf(article: Listed): number {
  return entryTokens(article, entryOf(article))
}

/** The tokens of an entry in structured content and in text. */
export function entryTokens(structured: object, text: string): number {
  return estimateTokens(JSON.stringify(structured)) + estimateTokens(text) + SEPARATOR_TOKENS
}

/** How many of the first numbers have a sum of at most `max`. */
export function countWithin(numbers: number[], max: number): number {
  let sum = 0
  const end = numbers.findIndex((one) => {
    sum += one
    return sum > max
  })
  return end === -1 ? numbers.length : end
}

/** An article in the text of an answer, which holds the same as structured content: most clients pass on only one. */
export function entryOf(article: Listed): string {
  const { title, repository, number, compatibility, affected, lead, snippet, changeTypes, language, articleId } =
    article
  const facts = [article.mergedAt?.slice(0, 10) ?? 'not merged', compatibility ?? 'effect unknown']
  return [
    `- ${[...facts, `${repository}#${number}`, oneLine(title)].join(' · ')}`,
    affected && `affected: ${oneLine(affected)}`,
    lead && oneLine(lead),
    snippet && `match: ${oneLine(snippet)}`,
    [...changeTypes, language, `articleId ${articleId}`].join(' · '),
  ]
    .filter(Boolean)
    .join('\n  ')
}

export function anyTermLine({ hasAnyTerm, articles }: { hasAnyTerm: boolean; articles: object[] }): string[] {
  return hasAnyTerm && articles.length > 0
    ? ['No article has all of these words. These have some, the best match first:']
    : []
}

export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Names the pages of the listed articles once, because URLs take many tokens. */
export function pageLine(articles: object[], origin: string): string[] {
  return articles.length === 0 ? [] : [`Page of an article: ${origin}/read/articles/{articleId}`]
}

export function moreLine(nextCursor: string | null): string[] {
  return nextCursor === null ? [] : [`More with the cursor ${nextCursor}`]
}

export function toListed(article: ListedArticle, origin: string, leadCharacters: number) {
  const { impact, snippet } = article
  const lead = article.lead === null || leadCharacters === 0 ? null : shortened(article.lead, leadCharacters)
  return {
    articleId: article.articleId,
    page: `${origin}${pageAddress(article.articleId, article.languageCode)}`,
    language: article.languageCode,
    title: article.aiGeneratedTitle,
    compatibility: impact?.compatibility ?? null,
    affected: impact && shortened(impact.affected, Math.max(leadCharacters, MIN_AFFECTED_CHARACTERS)),
    lead,
    snippet: snippet && tellsMore(snippet, lead ?? '') ? snippet.text : null,
    changeTypes: article.changeTypes,
    repository: article.repositoryFullName,
    number: article.prNumber,
    pullRequest: article.hostPrUrl,
    mergedAt: article.mergedAt,
  }
}

/** Whether a snippet shows a match that the lead does not. */
function tellsMore({ text, marks }: NonNullable<ListedArticle['snippet']>, lead: string): boolean {
  const shown = lead.toLowerCase()
  return marks.some(({ start, end }) => !shown.includes(text.slice(start, end).toLowerCase()))
}

function shortened(text: string, maxCharacters: number): string {
  const { text: cut, truncated } = clip(text, maxCharacters)
  return truncated ? `${cut.trimEnd()}…` : cut
}
