import type { components } from '../../generated/api.ts'
import type { ArticleDocument } from '../db/articles/articleDocuments.ts'
import type { JsonText } from '../lib/jsonText.ts'
import type { Threads } from '../threads/threads.ts'
import { addNewFields } from '../writer/formerContent.ts'
import { addEvidenceLines, type TextsWithExcerpts } from '../writer/markup/evidenceLines.ts'
import { articleNotFound } from './problems.ts'

export type PullRequestArticle = components['schemas']['PullRequestArticle']

/** Below this length, parsing texts takes a few milliseconds, which is less than passing them to a thread. */
const MAX_CHARACTERS_INLINE = 500_000

/** The response for a found article. Stored texts are passed on unparsed, unless they lack something. */
export async function toArticle(
  threads: Threads,
  found: ArticleDocument | undefined,
): Promise<JsonText<PullRequestArticle>> {
  if (!found) throw articleNotFound()
  return { parts: [`${found.head.slice(0, -1)},"contents":{`, await contentsOf(threads, found), '}}'] }
}

async function contentsOf(threads: Threads, { contents, excerpts, has_former }: ArticleDocument) {
  if (excerpts !== null) return withLines(threads, { contents, excerpts })
  if (!has_former) return contents
  return contents.length <= MAX_CHARACTERS_INLINE ? addNewFields(contents) : threads.run('addNewFields', contents)
}

async function withLines(threads: Threads, texts: TextsWithExcerpts): Promise<Buffer> {
  const isSmall = texts.contents.length + texts.excerpts.length <= MAX_CHARACTERS_INLINE
  const bytes = isSmall ? addEvidenceLines(texts) : await threads.run('addEvidenceLines', texts)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
