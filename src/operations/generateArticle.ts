import { generate } from '../domain/articles/generate.ts'
import { articleDocument } from '../domain/articles/read.ts'
import { type Handler, reply, replyText } from '../web/api/handler.ts'
import { articlePages } from '../web/pages/pageUrls.ts'

const DEFAULT_WAIT_SECONDS = 30
const MAX_WAIT_SECONDS = 60

export const generateArticle: Handler<'generateArticle'> = async (input, ctx) => {
  const { params, body, viewer, preferredWait, origin } = input
  const { number, ...name } = params
  const request = {
    name,
    number,
    language: body.language ?? viewer.user.language,
    force: body.force ?? false,
    waitMilliseconds: Math.min(preferredWait ?? DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS) * 1000,
  }
  const outcome = await generate(ctx, viewer, request, articleDocument(articlePages(origin)))
  if ('article' in outcome) return replyText(200, outcome.article, 'The article.')
  const headers = { location: `/article-jobs/${outcome.job.id}` }
  return { ...reply(202, outcome.job, 'The article is being written.'), headers }
}
