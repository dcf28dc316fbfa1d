import { html, type SafeHtml } from '@remix-run/html-template'
import { pageAddress } from '../../articles/addresses.ts'
import { texts } from '../locale.ts'
import type { Page, Visit } from '../page.ts'

/** The address of an article to copy, and the feed to follow. The buttons are for browsers whose scripts can use them. */
export function shareSection(
  { locale, origin }: Visit,
  { id, language }: { id: string; language: string },
  feed: Page['feed'],
): SafeHtml {
  const t = texts[locale]
  return html`<section class="share"><label for="share">${t.share}</label>
<div class="row"><input id="share" readonly value="${origin}${pageAddress(id, language)}"><button type="button" class="quiet" name="copy" data-done="${t.copied}" hidden>${t.copyLink}</button><button type="button" class="quiet" name="share" hidden>${t.shareWith}</button></div>
<p class="small" role="status"></p>
${feed ? html`<p class="meta"><a href="${feed.path}">${t.feedOfRepository(feed.title)}</a></p>` : ''}</section>`
}
