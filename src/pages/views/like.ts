import { unauthenticated } from '../../accounts/problems.ts'
import { like, unlike } from '../../likes/like.ts'
import { ownPath } from '../ownPath.ts'
import { languageIn, type PageHandler, requireId, requireViewer } from '../page.ts'

/** Likes or unlikes an article from browsers without scripts. */
export const likeOrUnlike: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  const { token } = visit.credential
  if (!token) throw unauthenticated()
  const credential = { ...visit.credential, token, identify: async () => viewer }
  const { wish, to } = visit.form
  const text = { articleId: requireId(visit.form['articleId']), language: languageIn(visit.form) ?? '' }
  await (wish === 'unlike' ? unlike : like)(ctx, credential, text)
  return { to: ownPath(to) }
}
