import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findExcerpts, updateMarkup } from '../db/articles/articles.ts'
import { findStored } from '../db/pulls/pullRequests.ts'
import { singleFlight } from '../lib/singleFlight.ts'
import { audienceOf } from '../repositories/visibility.ts'
import type { StoredContent } from '../writer/content.ts'
import type { Markup } from '../writer/markup/markup.ts'

interface OutdatedText {
  articleId: string
  language: string
  content: StoredContent
  hostPrUrl: string
  /** As stored. */
  markup: string | null
}

const onceAtATime = singleFlight<Markup>()

/** Makes the markup of a text that another version stored, and stores it, so that the next reader need not wait for it. */
export async function renewMarkup(ctx: Context, viewer: Viewer | undefined, text: OutdatedText): Promise<Markup> {
  const { articleId, language, content, hostPrUrl } = text
  const kept = await findExcerpts(ctx.db, audienceOf(ctx, viewer), articleId, language)
  return onceAtATime(`${articleId} ${language} ${content.summaryGeneratedAt}`, async () => {
    const stored = kept && (await findStored(ctx.db, kept.host_repo_id, kept.number))
    const document = stored && stored.private === kept.private ? stored.document : null
    const former = kept?.excerpts ?? null
    const renewed = await ctx.threads.run('illustrate', { content, hostPrUrl, document, former })
    if (kept) await updateMarkup(ctx.db, { articleId, language }, text.markup, renewed)
    return JSON.parse(renewed.markup)
  })
}
