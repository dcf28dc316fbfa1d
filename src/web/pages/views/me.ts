import { html, type SafeHtml } from '@remix-run/html-template'
import type { Context } from '../../../context.ts'
import { listTokens } from '../../../domain/accounts/apiTokens.ts'
import { feedKeyOf } from '../../../domain/accounts/feedKey.ts'
import type { Viewer } from '../../../domain/accounts/session.ts'
import { listArticleJobs } from '../../../domain/articles/listArticleJobs.ts'
import { shownFavorites, toFavorite } from '../../../domain/favorites/favorites.ts'
import { listLikedRows } from '../../../domain/likes/liked.ts'
import { favoriteArticles } from '../../../domain/lists/favoriteArticles.ts'
import { readFeed } from '../../../domain/pulls/pullRequestFeed.ts'
import { hostProblem } from '../../../domain/repositories/problems.ts'
import { searchHostRepositories } from '../../../domain/repositories/searchHostRepositories.ts'
import { Problem } from '../../../errors.ts'
import { texts } from '../locale.ts'
import { isId, type Page, type PageHandler, requireViewer, type Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { type TokenForm, tokensSection } from './apiTokens.ts'
import { askedForSection } from './askedFor.ts'
import { errorText } from './error.ts'
import type { SettingsOutcome } from './favoriteSettings.ts'
import { type AddForm, favoritesSection, type HostSearchForm } from './favorites.ts'
import { likedSection } from './liked.ts'
import { newArticlesSection } from './newArticles.ts'
import { LIMIT, offsetOf } from './offsetLinks.ts'
import { feedSection } from './pullFeed.ts'
import { atomSection, deleteAccountSection, languageSection, privateAccessSection } from './settings.ts'
import { offNotice } from './watching.ts'

const MAX_SEARCH_LENGTH = 200
const MAX_TOKENS_SHOWN = 100

/** Forms of the page that could not be saved, with the input that was sent. */
interface Forms {
  adding?: AddForm
  settings?: SettingsOutcome
  token?: TokenForm
}

export const me: PageHandler = (visit, ctx) => myPage(visit, ctx)

/** The user's page: articles and pull requests of favorites, articles asked for and liked, and settings. */
export async function myPage(visit: Visit, ctx: Context, forms: Forms = {}): Promise<Page> {
  const viewer = requireViewer(visit)
  const { articles: articlesCursor, asked: jobsCursor } = visit.query
  await ctx.indexing.catchUp()
  const [{ favorites, articles }, feed, feedKey, jobs, search, liked, tokens] = await Promise.all([
    favoritesAndArticles(ctx, viewer, articlesCursor),
    readFeed(ctx, viewer, LIMIT, offsetOf(visit, 'feed')),
    feedKeyOf(ctx, viewer),
    listArticleJobs(ctx, viewer, { limit: LIMIT, cursor: jobsCursor }),
    searchHost(visit, ctx, viewer),
    listLikedRows(ctx, viewer, { limit: LIMIT, offset: offsetOf(visit, 'liked') }),
    listTokens(ctx, viewer, { limit: MAX_TOKENS_SHOWN }),
  ])
  const t = texts[visit.locale]
  return {
    title: t.myPage,
    isPrivate: true,
    body: html`<h1>${t.myPage} <span class="who">${viewer.user.host_username}</span></h1>
${sectionLinks(t)}
${newArticlesSection(visit, articles)}
${feedSection(visit, feed)}
${favoritesSection(t, {
  favorites: favorites.map((row) => ({ ...toFavorite(ctx, row), isPrivate: row.private })),
  adding: forms.adding ?? { typed: '' },
  search,
  settings: forms.settings ?? savedIn(visit),
  offNotice: offNotice(t, ctx),
})}
${askedForSection(visit, jobs)}
${likedSection(visit, liked)}
${languageSection(visit, viewer.user.language, ctx.askModel !== undefined)}
${atomSection(visit, feedKey)}
${tokensSection(visit, tokens.data, forms.token, ctx.now())}
${privateAccessSection(t, ctx)}
${deleteAccountSection(t)}`,
  }
}

/** The favorite whose settings were saved just before. */
function savedIn({ query }: Visit): SettingsOutcome | undefined {
  const { saved: id } = query
  return id && isId(id) ? { id } : undefined
}

/** Reads the favorites first, because that renews the visibility checks that the articles depend on. */
async function favoritesAndArticles(ctx: Context, viewer: Viewer, cursor: string | undefined) {
  const favorites = await shownFavorites(ctx, viewer)
  return { favorites, articles: await favoriteArticles(ctx, viewer, { limit: LIMIT, cursor }) }
}

/** Searches the code host. If that fails, returns a warning, so that the rest of the page is shown. */
async function searchHost({ query, locale }: Visit, ctx: Context, viewer: Viewer): Promise<HostSearchForm> {
  const q = (query['q'] ?? '').trim().slice(0, MAX_SEARCH_LENGTH)
  if (!q) return { q }
  try {
    return { q, found: await searchHostRepositories(ctx, viewer, { q, limit: LIMIT }) }
  } catch (error) {
    const problem = error instanceof Problem && error.code !== 'UNAUTHENTICATED' ? error : hostProblem(error)
    if (!problem) throw error
    return { q, warning: errorText(texts[locale].errors, problem.code, problem.details?.reason) }
  }
}

function sectionLinks(t: Texts): SafeHtml {
  const parts = [
    ['articles', t.newArticles],
    ['feed', t.feed],
    ['favorites', t.favorites],
    ['asked', t.askedFor],
    ['liked', t.liked],
    ['language', t.articleLanguage],
    ['atom', t.ownFeed],
    ['tokens', t.tokens.title],
  ]
  return html`<nav class="tabs" aria-label="${t.contents}">${parts.map(([id, label]) => html`<a href="#${id}">${label}</a>`)}</nav>`
}
