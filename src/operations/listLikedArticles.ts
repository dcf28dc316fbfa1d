import { listLiked } from '../domain/likes/liked.ts'
import { Problem } from '../errors.ts'
import { type Handler, replyText } from '../web/api/handler.ts'
import { articlePages } from '../web/pages/pageUrls.ts'

export const listLikedArticles: Handler<'listLikedArticles'> = async (input, ctx) => {
  const { credential, origin } = input
  const { language, lang, ...page } = input.query
  if (lang !== undefined && language !== undefined && lang !== language)
    throw new Problem('VALIDATION_ERROR', 'The parameters language and lang name different languages. Send language.', {
      details: { issues: [{ in: 'querystring', path: '/lang', message: 'must be equal to language' }] },
    })
  const query = { ...page, language: language ?? lang, articlePages: articlePages(origin) }
  const liked = await listLiked(ctx, credential, query)
  return { ...replyText(200, liked.page, 'The articles you liked.'), nextCursor: liked.nextCursor }
}
