import type { ArticleText } from '../../domain/articles/read.ts'
import type { Evidence } from '../../writer/evidence.ts'
import { pageAddress } from '../pages/addresses.ts'
import { citationsOf } from './citations.ts'
import { clipToTokens, MAX_ANSWER_TOKENS, tokenBound } from './tokenBound.ts'
import { clipped, createTokenBudget, type TokenBudget } from './tokenBudget.ts'
import { NOTICE, untrusted } from './untrusted.ts'

type Content = ArticleText['content']

/** Tokens reserved for the state of a job around the article, and for the names and brackets of the lists. */
const RESERVED_TOKENS = 400
const MAX_TITLE_TOKENS = 300
const MAX_LEAD_TOKENS = 1000
const MAX_LINE_TOKENS = 400
const MAX_PARAGRAPH_TOKENS = 1500
const MAX_LEAD_TOKENS_IN_TEXT = 300
const MAX_QUOTES = 2
const MAX_QUOTE_TOKENS = 300
const MAX_UNREAD = 5
const MAX_PATH_TOKENS = 100

/** An article without figures, as much of it as fits an answer. `omitted` counts the parts that do not fit. */
export function articleAnswer(article: ArticleText, origin: string) {
  const { content } = article
  const page = `${origin}${pageAddress(article.id, article.language)}`
  const filesUrl = `${article.host_url}/files/${content.headSha}`
  const title = clipToTokens(content.aiGeneratedTitle, MAX_TITLE_TOKENS)
  const lead = content.lead?.text ?? null
  const texts = [title, lead && clipToTokens(lead, MAX_LEAD_TOKENS_IN_TEXT)].filter((one) => one !== null)
  const text = [...untrusted(texts), page].join('\n')
  const head = {
    notice: NOTICE,
    ...headOf(article, page),
    title,
    lead: clipped(lead, MAX_LEAD_TOKENS),
    impact: impactOf(content),
    coverage: coverageOf(content),
    filesUrl,
  }
  const budget = createTokenBudget(MAX_ANSWER_TOKENS - RESERVED_TOKENS - tokenBound(text))
  budget.take(head)
  const files = new Map<string, string>()
  const parts = partsOf(content, files, budget)
  // The citations of the lead come last, because the parts have already cited most of its files.
  const leadCitations = citationsWithin(budget, files, content.lead?.evidence)
  const ofImpact = citationsWithin(budget, files, content.impact?.evidence)
  const impact = head.impact && { ...head.impact, citations: ofImpact }
  return { structured: { ...head, leadCitations, impact, ...parts, files: Object.fromEntries(files) }, text }
}

/** The citations of a claim, or none if they do not fit. Adds the cited files to `files`. */
function citationsWithin(budget: TokenBudget, files: Map<string, string>, evidence: Evidence[] = []): string[] {
  const { citations, files: cited } = citationsOf(evidence)
  const fresh = cited.filter(([path]) => !files.has(path))
  if (!budget.take([citations, ...fresh])) return []
  for (const [path, url] of fresh) files.set(path, url)
  return citations
}

function headOf(article: ArticleText, page: string) {
  const { content } = article
  return {
    articleId: article.id,
    page,
    language: article.language,
    languages: article.languages.slice(0, 20),
    kind: content.generator.kind,
    isStale: article.is_stale,
    repository: `${article.owner}/${article.name}`,
    number: article.number,
    pullRequest: article.host_url,
    author: article.author_login,
    state: article.merged_at ? 'merged' : article.state,
    mergedAt: article.merged_at?.toISOString() ?? null,
  }
}

function impactOf({ impact }: Content) {
  if (!impact) return null
  const { compatibility, affected, reason, action, since } = impact
  return {
    compatibility,
    affected: clipToTokens(affected, MAX_LINE_TOKENS),
    reason: clipToTokens(reason, MAX_LINE_TOKENS),
    action: clipped(action, MAX_LINE_TOKENS),
    since: clipped(since, MAX_LINE_TOKENS),
  }
}

/** How many files of the pull request were read, and the first of those that were not. */
function coverageOf({ coverage: { changedFiles, read, partlyRead, skipped, notListed, files } }: Content) {
  const unread = files.filter(({ state }) => state !== 'read').slice(0, MAX_UNREAD)
  return {
    ...{ changedFiles, read, partlyRead, skipped, notListed },
    unread: unread.map(({ path, reason }) => clipToTokens(`${path}: ${reason}`, MAX_PATH_TOKENS)),
  }
}

/** The parts of an article. Each list of claims may use only a share of the budget that remains after the previous lists. */
function partsOf(content: Content, files: Map<string, string>, budget: TokenBudget) {
  let omitted = 0
  function claims<Claim extends { evidence: Evidence[] }, Part extends object>(
    share: number,
    all: Claim[],
    toPart: (claim: Claim) => Part,
  ) {
    const parts = all.map((claim) => {
      const { citations, files: cited } = citationsOf(claim.evidence)
      return { part: { ...toPart(claim), citations }, cited }
    })
    const own = budget.part(share)
    const selection: (Part & { citations: string[] })[] = []
    for (const { part, cited } of parts) {
      const fresh = cited.filter(([path]) => !files.has(path))
      if (!own.take([part, ...fresh])) break
      for (const [path, url] of fresh) files.set(path, url)
      selection.push(part)
    }
    omitted += parts.length - selection.length
    return selection
  }
  const paragraph = (text: string) => clipToTokens(text, MAX_PARAGRAPH_TOKENS)
  const reasons = claims(0.3, content.reasons, ({ text, basis, sources }) => ({
    text: paragraph(text),
    basis,
    quotes: sources.slice(0, MAX_QUOTES).map(({ quote }) => clipToTokens(quote, MAX_QUOTE_TOKENS)),
  }))
  const mismatches = claims(0.3, content.mismatches, ({ text }) => ({ text: paragraph(text) }))
  const changes = claims(0.8, content.mainChanges, ({ heading, changeTypes, description }) => ({
    heading: clipped(heading, MAX_TITLE_TOKENS),
    types: changeTypes,
    text: paragraph(description),
  }))
  const points = claims(0.7, content.notablePoints, ({ categories, point }) => ({ categories, text: paragraph(point) }))
  // If the article has reasons, its background consists of the same texts and would repeat them.
  const background = content.reasons.length > 0 ? null : clipped(content.backgroundAndPurpose, MAX_PARAGRAPH_TOKENS)
  const hasBackground = background !== null && budget.take(background)
  const terms = budget.first(content.terms)
  omitted += (background !== null && !hasBackground ? 1 : 0) + content.terms.length - terms.length
  return {
    background: hasBackground ? background : null,
    ...{ reasons, changes, points, mismatches, terms },
    omitted,
  }
}
