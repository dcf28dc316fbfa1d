import type { components } from '../../../generated/api.ts'
import type { Threads } from '../../context.ts'
import type { ArticleDocument } from '../../db/articles/articleDocuments.ts'
import type { JsonText } from '../../lib/jsonText.ts'
import { addEvidenceLines, type TextsWithExcerpts } from '../../writer/render/evidenceLines.ts'
import { articleNotFound } from './problems.ts'

export type PullRequestArticle = components['schemas']['PullRequestArticle']

/** Below this length, parsing texts takes a few milliseconds, which is less than passing them to a thread. */
const MAX_CHARACTERS_INLINE = 500_000

/** The response for a found article, whose page is `articlePages` with its id. Stored texts are passed on unparsed, unless their cited lines are wanted. */
export async function toArticle(
  threads: Threads,
  document: ArticleDocument | undefined,
  articlePages: string,
): Promise<JsonText<PullRequestArticle>> {
  if (!document) throw articleNotFound()
  const { id, head, contents, excerpts } = document
  const texts = excerpts === null ? contents : await withLines(threads, { contents, excerpts })
  const url = JSON.stringify(`${articlePages}${id}`)
  return { parts: [`${head.slice(0, -1)},"url":${url},"contents":{`, texts, '}}'] }
}

async function withLines(threads: Threads, texts: TextsWithExcerpts): Promise<Buffer> {
  const isSmall = texts.contents.length + texts.excerpts.length <= MAX_CHARACTERS_INLINE
  const bytes = isSmall ? addEvidenceLines(texts) : await threads.run('addEvidenceLines', texts)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
