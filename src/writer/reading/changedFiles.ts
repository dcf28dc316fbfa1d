import type { PullRequest, PullRequestDocument } from '../../pulls/document.ts'
import { type Hunk, hunksOf } from './hunks.ts'
import { type FileKind, kindOf } from './kinds.ts'
import { visibleLine } from './visible.ts'

/** Puts masks over secrets in texts that belong together. */
export type Mask = (texts: string[]) => Promise<string[]>

/** A changed file with its own part of the diff. */
export type ChangedFile = PullRequest['files'][number] & {
  /** Its path as it is shown and cited: every character visible, no secret in it. */
  name: string
  kind: FileKind
  hunks: Hunk[]
  /** Also where the hunks themselves are not at hand any more. */
  hasHunks: boolean
}

/** The diff has one section for each file, in their order, each beginning with `diff --git`. */
export async function changedFilesOf(
  { files, diff }: Pick<PullRequestDocument, 'files' | 'diff'>,
  mask: Mask,
): Promise<ChangedFile[]> {
  const sections = `\n${diff}`.split('\ndiff --git ').slice(1)
  const names = await mask(files.map(({ path }) => path.replaceAll('\n', '⟨U+000A⟩')))
  return files.map((file, i) => {
    const section = sections[i] ?? ''
    const hunks = hunksOf(section)
    const patch = file.patch === 'text' && !hasLinesOf(hunks, file) ? 'partial' : file.patch
    return {
      ...file,
      patch,
      name: visibleLine(names[i] ?? ''),
      kind: kindOf(file, section),
      hunks,
      hasHunks: hunks.length > 0,
    }
  })
}

/** Whether as many lines were understood as the code host counts. */
function hasLinesOf(hunks: Hunk[], { additions, deletions }: PullRequest['files'][number]): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const counted = (sign: string) => lines.reduce((sum, line) => sum + (line.sign === sign ? 1 : 0), 0)
  return counted('+') >= additions && counted('-') >= deletions
}
