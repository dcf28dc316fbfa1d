import type { DraftLead } from '../draft.ts'
import type { Declaration } from '../facts/conventional.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { FileKind } from '../reading/kinds.ts'
import { citationsOf, firstCitable } from './citations.ts'
import { purposeOf } from './paths.ts'
import { mainPlace } from './places.ts'
import { cut } from './text.ts'
import type { Words } from './words.ts'

interface Counts {
  changedFiles: number
  additions: number
  deletions: number
  leftOut: { files: number }
}

const MAX_CITED = 3

/** Two sentences, about the kind of the change and about its size and place; null without files. */
export function leadOf(
  { changedFiles, additions, deletions, leftOut }: Counts,
  files: ChangedFile[],
  important: ChangedFile[],
  { declaration, isBreaking }: { declaration: Declaration | null; isBreaking: boolean },
  words: Words,
): DraftLead | null {
  if (important.length === 0) return null
  const text = words.lead({
    ...{ declaration, isBreaking, kinds: kindsOf(important), files: changedFiles, additions, deletions },
    // Name no place if some files were not listed, because those may be anywhere.
    place: leftOut.files > 0 ? null : mainPlace(files, important),
  })
  const evidence = firstCitable(important, MAX_CITED).flatMap((file) => citationsOf(file, 1))
  return { text: cut(text, words.maxLead), basis: 'diff', evidence }
}

/** The kinds of the files, in order of importance. */
function kindsOf(important: ChangedFile[]): FileKind[] {
  return [...new Set(important.map(purposeOf))]
}
