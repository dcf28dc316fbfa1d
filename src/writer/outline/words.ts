import type { ChangedFile } from '../reading/changedFiles.ts'
import type { FileKind } from '../reading/kinds.ts'
import type { Run } from './citations.ts'
import type { Explanation } from './statements.ts'
import type { SummaryWords } from './summaryWords.ts'

export interface Facts {
  files: number
  additions: number
  deletions: number
  kinds: [FileKind, number][]
  filesLeftOut: number
  patchesLeftOut: number
}

/** Kinds of statements about a file that list names. */
export type ChangeKind =
  | 'definitionsAdded'
  | 'definitionsRemoved'
  | 'definitionsChanged'
  | 'testsAdded'
  | 'testsRemoved'
  | 'testsChanged'
  | 'sectionsAdded'
  | 'sectionsRemoved'
  | 'sectionsChanged'
  | 'places'

/** Groups of files worth mentioning, detected by path and status. */
export type Group = 'security' | 'migrations' | 'manifests' | 'workflows' | 'removed' | 'renamed'

export type Extent = Pick<ChangedFile, 'status' | 'additions' | 'deletions' | 'patch'> & {
  /** The path before a rename, as a code span; empty if the file was not renamed. */
  formerPath: string
  places: number
}

/**
 * The texts of one language. All arguments are sanitized already: names are code spans, and texts of authors are safe
 * to quote.
 */
export interface Words extends SummaryWords {
  untitled: string
  headline: (scope: string | null, isBreaking: boolean, text: string) => string
  /** Replaces quotation marks in the text by nested ones, so that the text cannot end the quotation. */
  quote: (text: string) => string
  /** Introduces a quotation of the author, by the source of the quotation. */
  explains: Record<Explanation['in'], string>
  list: (names: string[], more: number) => string
  sentences: (sentences: string[]) => string
  facts: (facts: Facts) => string
  extent: (extent: Extent) => string
  finding: (finding: ChangeKind, names: string) => string
  biggest: (run: Run, place: string) => string
  replaced: (before: string, after: string) => string
  lineAdded: (line: string) => string
  lineRemoved: (line: string) => string
  breaking: (note: string | null) => string
  group: (group: Group, count: number, names: string) => string
  renaming: (from: string, to: string) => string
  untested: (count: number, names: string) => string
  largeDeletion: (deletions: number, additions: number, names: string) => string
  leftToDo: (count: number, isAll: boolean, line: string) => string
}
