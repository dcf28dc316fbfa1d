import { deleteUser } from '../../db/users.ts'
import { Problem } from '../../errors.ts'
import { addFavorite, dropFavorite } from '../../favorites/favorites.ts'
import { renewFeedKey } from '../../feeds/address.ts'
import { type PageHandler, requireViewer, type Visit } from '../page.ts'

const NAME = /^([\w.-]{1,100})\/([\w.-]{1,100})$/

export const followRepository: PageHandler = async (visit, ctx) => {
  await addFavorite(ctx, await requireViewer(visit).identify(), repositoryIn(visit))
  return { to: '/read/me' }
}

export const unfollowRepository: PageHandler = async (visit, ctx) => {
  await dropFavorite(ctx, await requireViewer(visit).identify(), repositoryIn(visit))
  return { to: '/read/me' }
}

/** An address for their own feed, in place of any former one. */
export const renewFeed: PageHandler = async (visit, ctx) => {
  await renewFeedKey(ctx, await requireViewer(visit).identify())
  return { to: '/read/me' }
}

/** Closes the account, for good. */
export const leave: PageHandler = async (visit, ctx) => {
  const { user } = await requireViewer(visit).identify()
  if (visit.form['sure'] !== 'yes') return { to: '/read/me' }
  await deleteUser(ctx.db, user)
  ctx.counting.soon()
  return { to: '/read', session: null }
}

/** `owner/repo`, or an address that begins with it. */
function repositoryIn({ form }: Visit): { owner: string; repo: string } {
  const text = (form['repository'] ?? '').trim()
  const path = URL.parse(text)?.pathname.split('/').slice(1, 3).join('/') ?? text
  const [, owner, repo] = NAME.exec(path) ?? []
  if (!owner || !repo) throw new Problem('VALIDATION_ERROR', 'A repository is named owner/repo.')
  return { owner, repo }
}
