import type { Context } from '../../context.ts'
import { evidenceBlocks } from '../../writer/render/evidenceBlocks.ts'
import { storedMarkup } from '../../writer/render/markup.ts'
import type { Viewer } from '../accounts/session.ts'
import type { EvidencePage } from './read.ts'
import { renewMarkup } from './renewMarkup.ts'

/** Below this length, rendering takes less than 10 ms. */
const MAX_CHARACTERS_INLINE = 100_000

/** The HTML of the citations of a text, with the lines as of the head commit it was written about. */
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
