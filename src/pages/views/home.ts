import { html, type SafeHtml } from '@remix-run/html-template'
import { pageAddress } from '../../articles/addresses.ts'
import { readRankingRows } from '../../likes/ranking.ts'
import { titleHtml } from '../../writer/markup/renderMarkdown.ts'
import { languageLabel } from '../format.ts'
import { type Locale, texts } from '../locale.ts'
import { languageIn, offsetIn, type PageHandler, type Visit } from '../page.ts'
import { addressBox } from './addressBox.ts'

type Ranked = Awaited<ReturnType<typeof readRankingRows>>['rows'][number]

const PERIODS = ['daily', 'weekly', 'monthly', 'all'] as const
type Period = (typeof PERIODS)[number]
const LIMIT = 20
const MAX_OFFSET = 10_000

/** The front page: the ranking, and a form to open a pull request. */
export const home: PageHandler = async (visit, ctx) => {
  const period = PERIODS.find((name) => name === visit.query['period']) ?? 'all'
  const language = languageIn(visit.query) ?? 'all'
  const offset = offsetIn(visit.query, 'offset', MAX_OFFSET)
  const { rows, total } = await readRankingRows(ctx, visit.viewer, { period, language, limit: LIMIT, offset })
  const t = texts[visit.locale]
  return {
    title: t.name,
    description: t.tagline,
    canonical: '/read',
    body: html`<section class="intro">
<h1>${t.tagline}</h1>
${addressBox(visit, visit.form['address'] === undefined ? undefined : t.invalidAddress)}
</section>
<section aria-labelledby="ranking">
<h2 id="ranking">${t.ranking}</h2>
<nav class="tabs" aria-label="${t.period}">${PERIODS.map((name) => tab(t.periods[name], address(name, language), name === period))}</nav>
<nav class="tabs languages" aria-label="${t.articleLanguage}">${['all', 'ja', 'en'].map((code) =>
      tab(
        code === 'all' ? t.allLanguages : languageLabel(code, visit.locale),
        address(period, code),
        code === language,
      ),
    )}</nav>
${
  rows.length === 0
    ? html`<p class="empty">${offset > 0 ? t.noMoreArticles : period === 'all' ? t.nothingLikedYet : t.nothingLiked}</p>`
    : html`<ol class="ranking" start="${offset + 1}">${rows.map((row) => item(row, visit.locale))}</ol>`
}
${pageLinks(visit, total, { period, language, offset })}
</section>`,
  }
}

function tab(text: string, to: string, isCurrent: boolean): SafeHtml {
  return isCurrent ? html`<a href="${to}" aria-current="page">${text}</a>` : html`<a href="${to}">${text}</a>`
}

function address(period: Period, language: string, offset = 0): string {
  const query = new URLSearchParams()
  if (period !== 'all') query.set('period', period)
  if (language !== 'all') query.set('language', language)
  if (offset > 0) query.set('offset', String(offset))
  return query.size > 0 ? `/read?${query}` : '/read'
}

function item(row: Ranked, locale: Locale): SafeHtml {
  const t = texts[locale]
  return html`<li><a href="${pageAddress(row.article_id, row.language)}" lang="${row.language}">${titleHtml(row.title)}</a>
<p class="meta"><span>${row.owner}/${row.name} #${row.number}</span> <span class="${row.is_liked ? 'likes mine' : 'likes'}" title="${row.is_liked ? t.likedByYou : t.likes}">♥ ${row.likes}</span></p></li>`
}

interface Selection {
  period: Period
  language: string
  offset: number
}

function pageLinks({ locale }: Visit, total: number, { period, language, offset }: Selection): SafeHtml {
  const t = texts[locale]
  const next = offset + LIMIT
  return html`<nav class="turning" aria-label="${t.pages}">
${offset > 0 ? html`<a rel="prev" href="${address(period, language, Math.max(0, offset - LIMIT))}">${t.previous}</a>` : ''}
${next < total && next <= MAX_OFFSET ? html`<a rel="next" href="${address(period, language, next)}">${t.next}</a>` : ''}
</nav>`
}
