import type { HostComment, HostFile } from '../../host/pullRequestParts.ts'
import { type KeptFile, MAX_DIFF_CHARACTERS, MAX_PATCH_CHARACTERS } from './diff.ts'
import { MAX_COMMENT_CHARACTERS } from './document.ts'

/** The limit for all paths of a pull request together: 3,000 paths of 150 characters. A single path can have 4,096. */
const MAX_PATH_CHARACTERS = 500_000

export async function keepAll<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...page)
  return items
}

/**
 * Drops oversized patches as they arrive, because 3,000 files could hold a gigabyte. Files beyond the limit for paths
 * are treated as if the code host had not listed them.
 */
export async function keepFiles(pages: AsyncIterable<HostFile[]>): Promise<KeptFile[]> {
  const files: KeptFile[] = []
  let characters = 0
  let pathCharacters = 0
  for await (const page of pages)
    for (const file of page) {
      pathCharacters += file.path.length + (file.previousPath?.length ?? 0)
      if (pathCharacters > MAX_PATH_CHARACTERS) return files
      const length = file.patch?.length ?? 0
      const patchLeftOut = length > MAX_PATCH_CHARACTERS || characters + length > MAX_DIFF_CHARACTERS
      if (!patchLeftOut) characters += length
      files.push({ ...file, patch: patchLeftOut ? null : file.patch, patchLeftOut })
    }
  return files
}

/** Comments beyond the size limit are counted, but their text is dropped as it arrives. */
export async function keepComments(pages: AsyncIterable<HostComment[]>): Promise<HostComment[]> {
  const comments: HostComment[] = []
  let characters = 0
  for await (const page of pages)
    for (const comment of page) {
      comments.push(characters > MAX_COMMENT_CHARACTERS ? { ...comment, body: '' } : comment)
      characters += comment.body.length
    }
  return comments
}
