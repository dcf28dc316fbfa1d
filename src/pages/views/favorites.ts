import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../generated/api.ts'
import type { Texts } from '../texts/ja.ts'

type Favorite = components['schemas']['FavoriteRepository']
type Found = components['schemas']['FoundRepositories']

/** A search on the code host: its words, and the results if there are any words. */
export interface HostSearchForm {
  q: string
  found: Found | undefined
}

/** The user's favorites with unread counts, and two ways to add one: by name and by a search on the code host. */
export function favoritesSection(t: Texts, favorites: Favorite[], search: HostSearchForm): SafeHtml {
  return html`<section aria-labelledby="favorites"><h2 id="favorites">${t.favorites}</h2>
<form method="post" action="/read/favorites" class="open"><label for="repository">${t.addFavorite}</label>
<div class="row"><input id="repository" name="repository" required maxlength="300" placeholder="owner/repo" autocapitalize="off" spellcheck="false"><button>${t.add}</button></div></form>
<form method="get" action="/read/me#favorites" class="open"><label for="q">${t.findRepository}</label>
<div class="row"><input id="q" name="q" type="search" required maxlength="200" value="${search.q}" autocapitalize="off" spellcheck="false"><button class="quiet">${t.find}</button></div></form>
${search.found ? results(t, search.found) : ''}
${favorites.length === 0 ? html`<p class="empty">${t.noFavorites}</p>` : html`<ul class="list">${favorites.map((favorite) => favoriteItem(t, favorite))}</ul>`}
</section>`
}

function favoriteItem(t: Texts, { owner, repo, repositoryFullName, unreadCount }: Favorite): SafeHtml {
  return html`<li><div><span>${repositoryFullName}</span>${unreadCount > 0 ? html` <span class="meta">${t.unread(unreadCount)}</span>` : ''}</div><form method="post" action="/read/favorites/remove"><input type="hidden" name="repository" value="${`${owner}/${repo}`}"><button class="quiet" aria-label="${t.removeFavorite(repositoryFullName)}">${t.remove}</button></form></li>`
}

function results(t: Texts, { data }: Found): SafeHtml {
  if (data.length === 0) return html`<p class="empty">${t.noRepositoryFound}</p>`
  return html`<ul class="list found">${data.map(
    ({ repositoryFullName, description, favorite }) =>
      html`<li><div><span>${repositoryFullName}</span>${description ? html`<p class="meta" dir="auto">${description}</p>` : ''}</div>${
        favorite
          ? ''
          : html`<form method="post" action="/read/favorites"><input type="hidden" name="repository" value="${repositoryFullName}"><button class="quiet" aria-label="${t.addNamed(repositoryFullName)}">${t.add}</button></form>`
      }</li>`,
  )}</ul>`
}
