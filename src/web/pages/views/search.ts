import { html, type SafeHtml } from '@remix-run/html-template'
import type { Context } from '../../../context.ts'
import { MAX_CANDIDATES } from '../../../db/search/articleSearch.ts'
import { listArticles } from '../../../domain/lists/listArticles.ts'
import { CHANGE_TYPES, InvalidQuery, MAX_TERMS, parseQuery } from '../../../domain/search/query.ts'
import { labelsFor } from '../../../writer/render/labels.ts'
import { searchFeedPath } from '../feedPaths.ts'
import { numberLabel } from '../format.ts'
import { texts } from '../locale.ts'
import { languageIn, type Page, type PageHandler, readerLanguage, type Visit } from '../page.ts'
import { pathWith } from '../pathWith.ts'
import type { Texts } from '../texts/ja.ts'
import { articleList } from './articleList.ts'
import { MAX_QUERY_CHARACTERS, SEARCH_PATH } from './searchBox.ts'
import { languageTabs, nextLink, tabs } from './tabs.ts'

const LIMIT = 20
const SORTS = ['relevance', 'newest', 'likes'] as const

interface Search {
  q: string
  type: (typeof CHANGE_TYPES)[number] | undefined
  language: string | undefined
  sort: (typeof SORTS)[number] | undefined
}

/** Searches articles. The header of the page holds the box. */
export const search: PageHandler = async (visit, ctx) => {
  const t = texts[visit.locale]
  const { query } = visit
  const q = (query['q'] ?? '').trim()
  const type = CHANGE_TYPES.find((name) => name === query['type'])
  const sort = SORTS.find((name) => name === query['sort'])
  const chosen = { q, type, language: languageIn(query), sort }
  const title = q === '' ? t.search : t.searchResults(q)
  const warning = errorOf(t, q)
  const body = warning
    ? html`<p class="warning" role="alert">${warning}</p>${hints(visit)}`
    : await results(visit, ctx, chosen)
  return {
    ...(warning && { status: 400 }),
    title,
    isPrivate: true,
    feed: warning ? undefined : feedOf(t, chosen),
    body: html`<h1>${t.search}</h1>${body}`,
  }
}

/** The feed of this search, unless nothing is searched for. */
function feedOf(t: Texts, { q, type, language }: Search): Page['feed'] {
  if (!q && !type && !language) return undefined
  return {
    title: q ? t.searchResults(q) : t.results,
    path: searchFeedPath({ q, changeType: type && [type], language }),
  }
}

/** Why a query cannot be searched for. */
function errorOf({ searchErrors: errors }: Texts, q: string): string | undefined {
  if (q.length > MAX_QUERY_CHARACTERS) return errors.length(MAX_QUERY_CHARACTERS)
  try {
    parseQuery(q)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    if (error.part === 'type') return errors.type(CHANGE_TYPES.join(', ').toLowerCase())
    return error.part === 'terms' ? errors.terms(MAX_TERMS) : errors.language
  }
}

async function results(visit: Visit, ctx: Context, chosen: Search): Promise<SafeHtml> {
  const t = texts[visit.locale]
  const { q, type, language } = chosen
  const feed = feedOf(t, chosen)
  if (!feed) return hints(visit)
  const { cursor } = visit.query
  const sorts = SORTS.filter((name) => name !== 'relevance' || parseQuery(q).terms.length > 0)
  const sort = sorts.find((name) => name === chosen.sort) ?? sorts[0] ?? 'newest'
  const query = {
    ...{ q, sort, limit: LIMIT },
    ...(type && { changeType: [type] }),
    ...(language && { language }),
    ...(cursor && { cursor }),
  }
  const { data, pagination, isLimited } = await listArticles(ctx, visit.viewer, query, readerLanguage(visit))
  const pathTo = (change: Partial<Search> & { cursor?: string }) => pathWith(SEARCH_PATH, { ...chosen, ...change })
  const types = labelsFor(visit.locale).changeTypes
  return html`<details ${type || language ? html`open` : ''}><summary>${t.filters}</summary>${tabs(t.changeType, [
    { text: t.allTypes, to: pathTo({ type: undefined }), isCurrent: type === undefined },
    ...CHANGE_TYPES.map((name) => ({ text: types[name], to: pathTo({ type: name }), isCurrent: name === type })),
  ])}
${languageTabs(visit, language, (code) => pathTo({ language: code }))}</details>
${tabs(
  t.sortBy,
  sorts.map((name) => ({ text: t.sorts[name], to: pathTo({ sort: name }), isCurrent: name === sort })),
)}
<h2>${feed.title}</h2>
<p class="meta"><a href="${feed.path}">${t.feedOfSearch}</a></p>
${isLimited && sort !== 'newest' ? html`<p class="small">${t.onlyNewestRanked(numberLabel(MAX_CANDIDATES, visit.locale))}</p>` : ''}
${data.length > 0 ? articleList(visit, data) : pagination.nextCursor ? '' : cursor ? html`<p class="empty">${t.noMoreArticles}</p>` : nothing(visit, chosen)}
${nextLink(visit, t.moreResults, pagination.nextCursor && pathTo({ cursor: pagination.nextCursor }))}`
}

function nothing(visit: Visit, { q, type, language }: Search): SafeHtml {
  const t = texts[visit.locale]
  const isFiltered = q !== '' && (type ?? language) !== undefined
  return html`<p>${t.nothingFound}${isFiltered ? html` <a href="${pathWith(SEARCH_PATH, { q })}">${t.searchWithoutFilters}</a>` : ''}</p>
${hints(visit)}`
}

function hints({ locale }: Visit): SafeHtml {
  const { searchHints: hint, search: word } = texts[locale]
  const examples = [
    [`"${word}"`, hint.phrase],
    [`-${word}`, hint.without],
    ['repo:owner/name', hint.repository],
    ['type:fix', hint.type],
    [`lang:${locale}`, hint.language],
  ]
  return html`<p>${hint.words}</p>
<dl class="hints">${examples.map(([typed, meaning]) => html`<div><dt><code>${typed}</code></dt><dd>${meaning}</dd></div>`)}</dl>`
}
