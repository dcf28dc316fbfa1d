import { html, type SafeHtml } from '@remix-run/html-template'
import { mistakeAddress, pageAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import type { Page, Visit } from '../page.ts'

/**
 * The URL of an article to copy, the feed to follow, and the form to report a mistake. The buttons are for browsers
 * whose scripts can use them.
 */
export function shareSection(
  { locale, origin }: Visit,
  { id, language }: { id: string; language: string },
  feed: Page['feed'],
): SafeHtml {
  const t = texts[locale]
  return html`<section class="share"><label for="share">${t.share}</label>
<div class="row"><input id="share" readonly value="${origin}${pageAddress(id, language)}"><button type="button" class="quiet" name="copy" data-done="${t.copied}" hidden>${t.copyLink}</button><button type="button" class="quiet" name="share" hidden>${t.shareWith}</button></div>
<p class="small" role="status"></p>
<p class="meta">${feed ? html`<a href="${feed.path}">${t.feedOfRepository(feed.title)}</a>` : ''} <a href="${mistakeAddress(id, language)}">${t.mistakes.report}</a></p></section>`
}
