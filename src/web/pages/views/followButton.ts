import { html, type SafeHtml } from '@remix-run/html-template'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import { signInPath } from '../wish.ts'

/** Adds a repository to the favorites or removes it, and comes back to this page. */
export function followButton({ viewer, locale, path }: Visit, fullName: string, isFollowed: boolean): SafeHtml {
  const t = texts[locale]
  if (!viewer)
    return html`<p><a class="button quiet" href="${signInPath(path, { for: 'follow', repository: fullName })}">${t.follow}</a></p>`
  const action = isFollowed ? '/read/favorites/remove' : '/read/favorites'
  return html`<form method="post" action="${action}"><input type="hidden" name="repository" value="${fullName}"><input type="hidden" name="to" value="${path}"><button class="quiet">${isFollowed ? t.unfollow : t.follow}</button></form>`
}
