import type { Context } from '../../../context.ts'
import { deleteUser, updateLanguage } from '../../../db/accounts/users.ts'
import { renewFeedKey } from '../../../domain/accounts/feedKey.ts'
import { registerFavorite, removeFavorite, updateFavorite } from '../../../domain/favorites/favorites.ts'
import { otherHostIn, type RepositoryPlace, repositoryIn } from '../../../domain/repositories/parseAddress.ts'
import { Problem, statusOf } from '../../../errors.ts'
import { languageName } from '../../../writer/proof/languages.ts'
import { texts } from '../locale.ts'
import { ownPath } from '../ownPath.ts'
import { languageIn, type PageHandler, requireViewer, type Visit } from '../page.ts'
import { errorText } from './error.ts'
import { choiceIn } from './favoriteSettings.ts'
import { myPage } from './me.ts'

/** Adds a favorite. If that fails, the form keeps the input and shows the reason. */
export const followRepository: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  try {
    await registerFavorite(ctx, viewer, requireRepository(visit, ctx))
  } catch (error) {
    const warning = warningOf(visit, ctx, error)
    if (!warning) throw error
    const { text, authorizationUrl } = warning
    const adding = { typed: visit.form['repository'] ?? '', warning: text, authorizationUrl }
    return { ...(await myPage(visit, ctx, { adding })), status: warning.status }
  }
  return { to: ownPath(visit.form['to'] ?? '/read/me') }
}

interface Warning {
  status: number
  text: string
  authorizationUrl?: string | undefined
}

/** The warning for an error that the user can correct; undefined for other errors. */
function warningOf({ locale, form }: Visit, { config }: Context, error: unknown): Warning | undefined {
  if (!(error instanceof Problem)) return undefined
  const t = texts[locale]
  const { code, details } = error
  const status = statusOf[code]
  if (code === 'HOST_REPO_NOT_FOUND') return { status, text: t.noSuchRepository }
  if (code === 'FORBIDDEN')
    return { status, text: errorText(t.errors, code, details?.reason), authorizationUrl: details?.authorizationUrl }
  if (code !== 'VALIDATION_ERROR') return undefined
  const { webUrl } = config.codeHost
  const other = otherHostIn(form['repository'] ?? '', webUrl)
  return { status, text: other ? t.otherHost(other, webUrl.host) : t.invalidRepository(webUrl.host) }
}

export const unfollowRepository: PageHandler = async (visit, ctx) => {
  await removeFavorite(ctx, requireViewer(visit), requireRepository(visit, ctx))
  return { to: ownPath(visit.form['to'] ?? '/read/me') }
}

/** Saves for which merged pull requests of a favorite articles are written automatically. */
export const saveFavoriteSettings: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  const place = requireRepository(visit, ctx)
  const automaticArticles = choiceIn(visit.form['automaticArticles'])
  const includesBots = visit.form['includesBots'] === 'yes'
  if (!automaticArticles) {
    const warning = texts[visit.locale].merges.invalidSetting
    const settings = { repository: `${place.owner}/${place.repo}`, includesBots, warning }
    return { ...(await myPage(visit, ctx, { settings })), status: statusOf.VALIDATION_ERROR }
  }
  const { id } = await updateFavorite(ctx, viewer, place, { automaticArticles, includesBots })
  return { to: `/read/me?saved=${id}#favorite-${id}` }
}

export const setArticleLanguage: PageHandler = async (visit, ctx) => {
  const { user } = requireViewer(visit)
  const language = languageIn(visit.form)
  if (!language) throw new Problem('VALIDATION_ERROR', 'A language code has two letters.')
  // Throws if there is no such language.
  languageName(language)
  await updateLanguage(ctx.db, user.id, language, ctx.now())
  return { to: '/read/me' }
}

/** Creates the URL of the user's feed and invalidates the previous one. */
export const resetFeed: PageHandler = async (visit, ctx) => {
  await renewFeedKey(ctx, requireViewer(visit))
  return { to: '/read/me' }
}

export const deleteAccount: PageHandler = async (visit, ctx) => {
  const { user } = requireViewer(visit)
  if (visit.form['sure'] !== 'yes') return { to: '/read/me' }
  await deleteUser(ctx.db, user)
  ctx.counting.soon()
  return { to: '/read', session: null }
}

function requireRepository({ form }: Visit, { config }: Context): RepositoryPlace {
  const place = repositoryIn(form['repository'] ?? '', config.codeHost.webUrl)
  if (!place) throw new Problem('VALIDATION_ERROR', 'A repository must have the form owner/repo.')
  return place
}
