import { parseDocument } from '../../pulls/document.ts'
import type { StoredContent } from '../content.ts'
import { type Excerpts, excerptsOf } from '../markup/excerpts.ts'
import { markupOf } from '../markup/markup.ts'

interface Input {
  content: StoredContent
  hostPrUrl: string
  /** The cited pull request; null if it is no longer stored. */
  document: Uint8Array | null
  /** Excerpts stored with the text before, as JSON. */
  former?: string | null
}

/** The cited lines and the HTML of a text for the pages, both as JSON. */
export function illustrate({ content, hostPrUrl, document, former = null }: Input) {
  const excerpts: Excerpts = {
    ...(former !== null && JSON.parse(former)),
    ...(document && citedIn(document, content)),
  }
  const markup = markupOf(content, excerpts, hostPrUrl)
  return { excerpts: JSON.stringify(excerpts), markup: JSON.stringify(markup) }
}

function citedIn(document: Uint8Array, content: StoredContent): Excerpts {
  const pull = parseDocument(document)
  return pull.headSha === content.headSha ? excerptsOf(content, pull) : {}
}
