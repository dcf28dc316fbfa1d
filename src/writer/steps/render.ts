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
  /** The cited pull request; null if it is no longer stored. */
  document: Uint8Array | null
  /** Excerpts stored with the text before, as JSON: they stay if the pull request has a newer head commit. */
  previous?: string | null
}

/** The cited lines and the HTML of a text: for the pages, both as JSON, and for feeds. */
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
