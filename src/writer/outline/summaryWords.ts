import type { Declaration } from '../facts/conventional.ts'
import type { FileKind } from '../reading/kinds.ts'
import type { Place } from './places.ts'

export interface LeadFacts {
  declaration: Declaration | null
  isBreaking: boolean
  /** The kinds of the changed files, the most important first. */
  kinds: FileKind[]
  files: number
  additions: number
  deletions: number
  place: Place | null
}

/** The texts of lead, impact and headings in one language, with their limits in characters. */
export interface SummaryWords {
  maxLead: number
  maxHeading: number
  /** The maximum length of one name in a heading. */
  maxName: number
  lead: (facts: LeadFacts) => string
  impact: ImpactWords
  heading: HeadingWords
}

/** Kinds of files that are not used when the project runs. */
export type KindWithoutEffect = FileKind | 'workflow'

export interface ImpactWords {
  breaking: string
  /** What users should do about a breaking change if the author left no note about it. */
  readFirst: string
  declared: (declaration: Declaration) => string
  none: (kinds: KindWithoutEffect[], declaration: Declaration | null) => { affected: string; reason: string }
  usersOfScope: (scope: string) => string
  usersOfFiles: (path: string, others: number) => string
}

export interface HeadingWords {
  file: (did: 'added' | 'removed' | 'changed', kind: FileKind, name: string) => string
  renamed: (from: string, to: string) => string
  moved: (name: string, folder: string) => string
  /**
   * Takes the lists of added and removed definitions, of which one may be empty, and the definition that encloses the
   * added ones, if any.
   */
  names: (added: string, removed: string, within: string) => string
  changed: (names: string) => string
  single: Record<'tests' | 'sections', (name: string) => string>
  counted: Record<'tests' | 'sections', (count: number, fileName: string) => string>
}
