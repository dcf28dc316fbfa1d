import { html, type SafeHtml } from '@remix-run/html-template'
import type { Favorite } from '../../../domain/favorites/favorites.ts'
import type { FoundRepositories } from '../../../domain/repositories/searchHostRepositories.ts'
import { mergesAddress, repositoryAddress } from '../addresses.ts'
import type { Texts } from '../texts/ja.ts'
import { type SettingsOutcome, settingsForm } from './favoriteSettings.ts'

type ShownFavorite = Favorite & { isPrivate: boolean }

/** The form that adds a repository by its name: what was typed, and why that could not be added. */
export interface AddForm {
  typed: string
  warning?: string
  /** The code host's page where the user can authorize the token. */
  authorizationUrl?: string | undefined
}

/** A search on the code host: its words, and what it found or why it failed. */
export interface HostSearchForm {
  q: string
  found?: FoundRepositories
  warning?: string
}

interface Section {
  favorites: ShownFavorite[]
  adding: AddForm
  search: HostSearchForm
  settings: SettingsOutcome | undefined
  /** The notice that says why the service writes no articles automatically; undefined if it does. */
  offNotice: string | undefined
}

/** The user's favorites with unread counts, and two ways to add one: by name and by a search on the code host. */
export function favoritesSection(t: Texts, { favorites, adding, search, settings, offNotice }: Section): SafeHtml {
  return html`<section aria-labelledby="favorites"><h2 id="favorites">${t.favorites}</h2>
<form method="post" action="/read/favorites#favorites" class="open"><label for="repository">${t.addFavorite}</label>
${warningOf(t, adding)}
<div class="row"><input id="repository" name="repository" required maxlength="300" placeholder="owner/repo" value="${adding.typed}" autocapitalize="off" spellcheck="false"><button>${t.add}</button></div></form>
<form method="get" action="/read/me#favorites" class="open"><label for="q">${t.findRepository}</label>
${warningOf(t, search)}
<div class="row"><input id="q" name="q" type="search" required maxlength="200" value="${search.q}" autocapitalize="off" spellcheck="false"><button class="quiet">${t.find}</button></div></form>
${search.found ? results(t, search.found) : ''}
${offNotice && favorites.length > 0 ? html`<p class="small">${offNotice}</p>` : ''}
${favorites.length === 0 ? html`<p class="empty">${t.noFavorites}</p>` : html`<ul class="list favorites">${favorites.map((favorite) => favoriteItem(t, favorite, settings))}</ul>`}
</section>`
}

function warningOf(t: Texts, { warning, authorizationUrl }: Pick<AddForm, 'warning' | 'authorizationUrl'>): SafeHtml {
  if (warning === undefined) return html``
  const link = authorizationUrl ? html` <a href="${authorizationUrl}">${t.errors.authorize}</a>` : ''
  return html`<p class="warning" role="alert">${warning}${link}</p>`
}

function favoriteItem(t: Texts, favorite: ShownFavorite, settings: SettingsOutcome | undefined): SafeHtml {
  const { id, owner, repo, repositoryFullName: name, unreadCount } = favorite
  return html`<li id="favorite-${id}"><div><a href="${repositoryAddress(owner, repo)}">${name}</a>
<p class="meta">${unreadCount > 0 ? html`<span>${t.unread(unreadCount)}</span> ` : ''}<a href="${mergesAddress(owner, repo)}" aria-label="${t.merges.linkOf(name)}">${t.merges.link}</a></p>
${favorite.isPrivate ? html`<p class="meta">${t.merges.publicOnly}</p>` : settingsForm(t, favorite, settings)}</div>
<form method="post" action="/read/favorites/remove"><input type="hidden" name="repository" value="${name}"><button class="quiet" aria-label="${t.removeFavorite(name)}">${t.remove}</button></form></li>`
}

function results(t: Texts, { data }: FoundRepositories): SafeHtml {
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
