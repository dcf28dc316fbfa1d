import { like, unlike } from '../../../domain/likes/like.ts'
import { ownPath } from '../ownPath.ts'
import { type DeferredPageHandler, languageIn, requireId } from '../page.ts'

/** Likes or unlikes an article from browsers without scripts. */
export const likeOrUnlike: DeferredPageHandler = async (form, credential, ctx) => {
  const text = { articleId: requireId(form['articleId']), language: languageIn(form) ?? '' }
  await (form['wish'] === 'unlike' ? unlike : like)(ctx, credential, text)
  return ownPath(form['to'])
}
