import type { StoredContent } from '../content.ts'
import { parseDocument } from '../facts/document.ts'
import { changedLinesOf } from '../render/changedLines.ts'
import { type Excerpts, excerptsOf } from '../render/excerpts.ts'
import { feedHtmlOf } from '../render/feedHtml.ts'
import { markupOf } from '../render/markup.ts'
import { secretMasker } from '../secrets/masker.ts'

interface Input {
  content: StoredContent
  language: string
  hostPrUrl: string
  /** The pull request that the text cites; null if it is no longer stored. */
  document: Uint8Array | null
  /**
   * The excerpts that are already stored with the text, as JSON. They stay if the pull request has a newer head commit.
   */
  previous?: string | null
}

/** Renders a text. Returns the cited lines and the HTML for pages, both as JSON, and the HTML for feeds. */
export async function render({ content, language, hostPrUrl, document, previous = null }: Input) {
  const stored = document && parseDocument(document)
  const pull = stored?.headSha === content.headSha ? stored : null
  const excerpts: Excerpts = {
    ...(previous !== null && JSON.parse(previous)),
    ...(pull && (await excerptsOf(content, pull, secretMasker().mask))),
  }
  const isChanged = pull ? changedLinesOf(content, pull) : () => false
  const markup = await markupOf({ content, language, hostPrUrl, isChanged })
  return {
    excerpts: JSON.stringify(excerpts),
    markup: JSON.stringify(markup),
    feedHtml: feedHtmlOf({ content, language, hostPrUrl }),
  }
}
