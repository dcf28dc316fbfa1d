import type { ChangedFile } from '../reading/changedFiles.ts'
import type { FileKind } from '../reading/kinds.ts'
import type { Run } from './citations.ts'
import type { CommitType } from './conventional.ts'

export interface Facts {
  files: number
  additions: number
  deletions: number
  kinds: [FileKind, number][]
  filesLeftOut: number
  patchesLeftOut: number
}

/** What was found in a file, by what happened to it. */
export type Finding =
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

/** Groups of files that are worth a word, by what can be read off their paths and status. */
export type Group = 'security' | 'migrations' | 'manifests' | 'workflows' | 'removed' | 'renamed'

export type Extent = Pick<ChangedFile, 'status' | 'additions' | 'deletions' | 'patch'> & {
  /** As a code span; empty where there was none. */
  formerPath: string
  places: number
}

/**
 * The texts of one language. Names come as code spans, and what others wrote comes fit to be quoted: nothing here
 * has to be cleaned again.
 */
export interface Words {
  untitled: string
  types: Record<CommitType, string>
  headline: (type: string, scope: string | null, isBreaking: boolean, text: string) => string
  /** Quotation marks inside of it become those of a quotation in a quotation, so that none can end it. */
  quote: (text: string) => string
  authorWrites: string
  commitsSay: string
  commitSubjects: string
  list: (names: string[], more: number) => string
  sentences: (sentences: string[]) => string
  facts: (facts: Facts) => string
  extent: (extent: Extent) => string
  finding: (finding: Finding, names: string) => string
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
