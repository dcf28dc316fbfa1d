import { html, type SafeHtml } from '@remix-run/html-template'
import { texts } from '../locale.ts'
import { offsetIn, type Visit } from '../page.ts'

export const LIMIT = 20
const MAX_OFFSET = 1000

/** A section of the user's page that is paged by an offset. */
type PagedSection = 'feed' | 'liked'

export function offsetOf({ query }: Visit, name: PagedSection): number {
  return offsetIn(query, name, MAX_OFFSET)
}

/** Links to the page before and after. */
export function offsetLinks(visit: Visit, name: PagedSection, hasMore: boolean): SafeHtml {
  const t = texts[visit.locale]
  const offset = offsetOf(visit, name)
  const pathAt = (to: number) => `/read/me${to > 0 ? `?${name}=${to}` : ''}#${name}`
  return html`<nav class="turning" aria-label="${t.pages}: ${t[name]}">
${offset > 0 ? html`<a rel="prev" href="${pathAt(offset - LIMIT)}">${t.previous}</a>` : ''}
${hasMore && offset < MAX_OFFSET ? html`<a rel="next" href="${pathAt(offset + LIMIT)}">${t.next}</a>` : ''}
</nav>`
}
