import type { Context } from '../../context.ts'
import { evidenceBlocks } from '../../writer/render/evidenceBlocks.ts'
import { storedMarkup } from '../../writer/render/markup.ts'
import type { Viewer } from '../accounts/session.ts'
import type { EvidencePage } from './read.ts'
import { renewMarkup } from './renewMarkup.ts'

/** Excerpts up to this length are rendered without a thread, in less than 10 ms. */
const MAX_CHARACTERS_INLINE = 100_000

/** Renders the citations of a text as HTML. The cited lines are those of the head commit that the text is about. */
export async function renderEvidence(ctx: Context, viewer: Viewer | undefined, page: EvidencePage): Promise<string> {
  const { id: articleId, language, content, markup, host_url: hostPrUrl } = page
  const isCurrent = storedMarkup(markup, content) !== undefined
  const { excerpts } = isCurrent
    ? page
    : await renewMarkup(ctx, viewer, { articleId, language, content, hostPrUrl, markup })
  const text = { content, language, excerpts }
  return (excerpts?.length ?? 0) <= MAX_CHARACTERS_INLINE
    ? evidenceBlocks(text)
    : ctx.threads.run('evidenceBlocks', text)
}
