import * as mistakes from '../domain/mistakes/reportMistake.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const reportMistake: Handler<'reportMistake'> = async ({ params, body, viewer }, ctx) => {
  const text = { articleId: params.articleId, language: params.langCode }
  const { report, created } = await mistakes.reportMistake(ctx, viewer, text, body)
  return created ? reply(201, report, 'Mistake reported.') : reply(200, report, 'Already reported.')
}
