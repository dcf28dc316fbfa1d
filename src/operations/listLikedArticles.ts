import { listLiked } from '../domain/likes/liked.ts'
import { Problem } from '../errors.ts'
import { type Handler, replyText } from '../web/api/handler.ts'

export const listLikedArticles: Handler<'listLikedArticles'> = async ({ query, credential }, ctx) => {
  const { language, lang, ...page } = query
  if (lang !== undefined && language !== undefined && lang !== language)
    throw new Problem('VALIDATION_ERROR', 'The parameters language and lang name different languages. Send language.', {
      details: { issues: [{ in: 'querystring', path: '/lang', message: 'must be equal to language' }] },
    })
  const liked = await listLiked(ctx, credential, { ...page, language: language ?? lang })
  return replyText(200, liked, 'The articles you liked.')
}
