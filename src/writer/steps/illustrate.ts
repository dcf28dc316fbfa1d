import { parseDocument } from '../../pulls/document.ts'
import type { StoredContent } from '../content.ts'
import { type Excerpts, excerptsOf } from '../markup/excerpts.ts'
import { markupOf } from '../markup/markup.ts'

interface Input {
  content: StoredContent
  hostPrUrl: string
  /** The pull request that it cites; null where that is stored no more. */
  document: Uint8Array | null
  /** Excerpts that were stored with the text, as JSON. */
  former?: string | null
}

/** What pages show of a text: the lines that it cites, and its HTML, both as JSON. */
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
