import { html, type SafeHtml } from '@remix-run/html-template'
import type { Context } from '../../../context.ts'
import { readRankingRows } from '../../../domain/likes/ranking.ts'
import { titleHtml } from '../../../writer/render/renderMarkdown.ts'
import { pageAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import { languageIn, offsetIn, readerLanguage, type Visit } from '../page.ts'
import { pathWith } from '../pathWith.ts'
import { likes } from './articleList.ts'
import { rowFacts } from './placeFacts.ts'
import { tabs } from './tabs.ts'

type Ranked = Awaited<ReturnType<typeof readRankingRows>>['rows'][number]

const PERIODS = ['all', 'monthly', 'weekly', 'daily'] as const
type Period = (typeof PERIODS)[number]
const LIMIT = 10
const MAX_OFFSET = 10_000

/** The articles with the most likes in a period. */
export async function rankingSection(visit: Visit, ctx: Context): Promise<SafeHtml> {
  const period = PERIODS.find((name) => name === visit.query['period']) ?? 'all'
  const offset = offsetIn(visit.query, 'offset', MAX_OFFSET)
  const { rows, total } = await readRows(visit, ctx, period, offset)
  const t = texts[visit.locale]
  return html`<section class="ranked" aria-labelledby="ranking">
<h2 id="ranking">${t.ranking}</h2>
${tabs(
  t.period,
  PERIODS.map((name) => ({ text: t.periods[name], to: rankingPath(visit, name), isCurrent: name === period })),
)}
${
  rows.length === 0
    ? html`<p class="empty">${offset > 0 ? t.noMoreArticles : period === 'all' ? t.nothingLikedYet : t.nothingLiked}</p>`
    : html`<ol class="ranking" start="${offset + 1}">${rows.map((row) => item(visit, row))}</ol>`
}
${pageLinks(visit, period, offset, total)}
</section>`
}

/**
 * The ranking in the chosen language or the reader's own. If no article in the reader's language has likes, shows all
 * languages. Likes are counted for each language of an article.
 */
async function readRows(visit: Visit, ctx: Context, period: Period, offset: number) {
  const read = (language: string) => readRankingRows(ctx, visit.viewer, { period, language, limit: LIMIT, offset })
  const chosen = languageIn(visit.query)
  const own = await read(chosen ?? readerLanguage(visit))
  return own.total > 0 || chosen ? own : read('all')
}

export function rankingPath({ query }: Visit, period: Period = 'all', offset = 0): string {
  return pathWith('/read', {
    tab: 'ranking',
    period: period === 'all' ? undefined : period,
    language: languageIn(query),
    offset: offset > 0 ? String(offset) : undefined,
  })
}

function item(visit: Visit, row: Ranked): SafeHtml {
  return html`<li><a class="title" href="${pageAddress(row.article_id, row.language)}" lang="${row.language}">${titleHtml(row.title)}</a>
${rowFacts(visit, row, likes(visit, row.likes, row.is_liked))}</li>`
}

function pageLinks(visit: Visit, period: Period, offset: number, total: number): SafeHtml {
  const t = texts[visit.locale]
  const next = offset + LIMIT
  if (offset === 0 && next >= total) return html``
  return html`<nav class="turning" aria-label="${t.pages}: ${t.ranking}">
${offset > 0 ? html`<a rel="prev" href="${rankingPath(visit, period, Math.max(0, offset - LIMIT))}">${t.previous}</a>` : ''}
${next < total && next <= MAX_OFFSET ? html`<a rel="next" href="${rankingPath(visit, period, next)}">${t.next}</a>` : ''}
</nav>`
}
