import { html, type SafeHtml } from '@remix-run/html-template'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'

export const SEARCH_PATH = '/read/search'
export const MAX_QUERY_CHARACTERS = 200

/** The search box of every page, filled with the query on the search page. */
export function searchBox({ locale, path, query }: Visit): SafeHtml {
  const t = texts[locale]
  const typed = path.startsWith(SEARCH_PATH) ? (query['q'] ?? '') : ''
  return html`<form role="search" action="${SEARCH_PATH}"><div class="row"><input type="search" name="q" aria-label="${t.searchArticles}" placeholder="${t.searchArticles}" maxlength="${String(MAX_QUERY_CHARACTERS)}" value="${typed}"><button class="quiet">${t.search}</button></div></form>`
}
