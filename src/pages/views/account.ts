import { renewFeedKey } from '../../atom/address.ts'
import type { Context } from '../../context.ts'
import { deleteUser, updateLanguage } from '../../db/accounts/users.ts'
import { Problem } from '../../errors.ts'
import { registerFavorite, removeFavorite } from '../../favorites/favorites.ts'
import { languageName } from '../../writer/proof/languages.ts'
import { ownPath } from '../ownPath.ts'
import { languageIn, type PageHandler, requireViewer, type Visit } from '../page.ts'
import { type RepositoryPlace, repositoryIn } from '../places.ts'

export const followRepository: PageHandler = async (visit, ctx) => {
  await registerFavorite(ctx, requireViewer(visit), requireRepository(visit, ctx))
  return { to: ownPath(visit.form['to'] ?? '/read/me') }
}

export const unfollowRepository: PageHandler = async (visit, ctx) => {
  await removeFavorite(ctx, requireViewer(visit), requireRepository(visit, ctx))
  return { to: ownPath(visit.form['to'] ?? '/read/me') }
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
