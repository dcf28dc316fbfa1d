import type { Context } from '../../context.ts'
import { findExcerpts, updateMarkup } from '../../db/articles/articles.ts'
import { findStored } from '../../db/pulls/pullRequests.ts'
import { singleFlight } from '../../lib/singleFlight.ts'
import type { StoredContent } from '../../writer/content.ts'
import type { Markup } from '../../writer/render/markup.ts'
import type { Viewer } from '../accounts/session.ts'
import { audienceOf } from '../repositories/visibility.ts'

interface OutdatedText {
  articleId: string
  language: string
  content: StoredContent
  hostPrUrl: string
  /** The stored markup, to detect a concurrent update. */
  markup: string | null
}

interface Renewed {
  markup: Markup
  /** The excerpts as JSON. */
  excerpts: string
}

const onceAtATime = singleFlight<Renewed>()

/**
 * Renders the markup of a text again if another version of the service stored it, and stores the result for later
 * readers.
 */
export async function renewMarkup(ctx: Context, viewer: Viewer | undefined, text: OutdatedText): Promise<Renewed> {
  const { articleId, language, content, hostPrUrl } = text
  const row = await findExcerpts(ctx.db, audienceOf(ctx, viewer), articleId, language)
  return onceAtATime(`${articleId} ${language} ${content.summaryGeneratedAt}`, async () => {
    const stored = row && (await findStored(ctx.db, row.host_repo_id, row.number))
    const document = stored && stored.private === row.private ? stored.document : null
    const excerpts = row?.excerpts ?? null
    const renewed = await ctx.threads.run('render', { content, language, hostPrUrl, document, previous: excerpts })
    if (row) await updateMarkup(ctx.db, { articleId, language }, text.markup, renewed)
    return { markup: JSON.parse(renewed.markup), excerpts: renewed.excerpts }
  })
}
