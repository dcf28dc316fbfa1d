import type { PullRequest, PullRequestDocument } from '../facts/document.ts'
import { splitDiff } from '../facts/splitDiff.ts'
import { type Hunk, hunksOf } from './hunks.ts'
import { type FileKind, kindOf } from './kinds.ts'
import type { Mask } from './mask.ts'
import { visibleLine } from './visible.ts'

/** A changed file with its section of the diff. */
export type ChangedFile = PullRequest['files'][number] & {
  /** The path as shown and cited: all characters visible, secrets masked. */
  name: string
  /** The path before a rename, as shown and cited; null if there is none. */
  previousName: string | null
  kind: FileKind
  hunks: Hunk[]
  /** Whether the diff has hunks of this file. Stays true after `hunks` has been emptied. */
  hasHunks: boolean
}

export async function changedFilesOf(
  { files, diff }: Pick<PullRequestDocument, 'files' | 'diff'>,
  mask: Mask,
): Promise<ChangedFile[]> {
  const sections = splitDiff(diff)
  const paths = files.flatMap(({ path, previousPath }) => [path, previousPath ?? ''])
  const names = (await mask(paths.map((path) => path.replaceAll('\n', '⟨U+000A⟩')))).map(visibleLine)
  return files.map((file, i) => {
    const hunks = hunksOf(sections[i] ?? '')
    const patch = file.patch === 'text' && !hasLinesOf(hunks, file) ? 'partial' : file.patch
    return {
      ...file,
      patch,
      name: names[2 * i] ?? '',
      previousName: file.previousPath === null ? null : (names[2 * i + 1] ?? ''),
      kind: kindOf(file, hunks),
      hunks,
      hasHunks: hunks.length > 0,
    }
  })
}

/** Whether at least as many lines were parsed as the code host counts. */
function hasLinesOf(hunks: Hunk[], { additions, deletions }: PullRequest['files'][number]): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const counted = (sign: string) => lines.reduce((sum, line) => sum + (line.sign === sign ? 1 : 0), 0)
  return counted('+') >= additions && counted('-') >= deletions
}
