import type {
  Diagram,
  Draft,
  DraftChange,
  DraftFigure,
  DraftImpact,
  DraftLead,
  DraftPoint,
  DraftReason,
  DraftSide,
  Example,
  Source,
  Table,
} from '../draft.ts'

export type AnsweredSide = Omit<DraftSide, 'lines'>
export type AnsweredExample = Omit<Example, 'kind' | 'codeLanguage'> & { language: string }
export type AnsweredTable = Omit<Table, 'kind'>
/** A figure of any kind, as one object: servers with strict schemas do not all accept alternatives. */
export interface AnsweredFigure {
  kind: DraftFigure['kind']
  example: AnsweredExample | null
  table: AnsweredTable | null
  before: AnsweredSide | null
  after: AnsweredSide | null
  caption: string
}
export type AnsweredChange = Omit<DraftChange, 'figures'> & { figures: AnsweredFigure[] }
export type AnsweredReason = Omit<DraftReason, 'sources'> & { sources: Omit<Source, 'url'>[] }

/** The instructions spell `behaviour`, so the model answers it. The contract has the American spelling. */
export const ANSWERED_BEHAVIOR = 'behaviour' as const
export type AnsweredImpact = Omit<DraftImpact, 'compatibility'> & {
  compatibility: Exclude<DraftImpact['compatibility'], 'behavior'> | typeof ANSWERED_BEHAVIOR
}

/** A draft as the model answers it: without lines of code and URLs, which the program adds. */
export interface AnsweredDraft extends Pick<Draft, 'aiGeneratedTitle' | 'notablePoints' | 'mismatches' | 'terms'> {
  lead: DraftLead
  impact: AnsweredImpact
  reasons: AnsweredReason[]
  mainChanges: AnsweredChange[]
  diagram: Diagram | null
}

/** An answer that may hold only some parts of a draft, such as the items that had errors. */
export type RepairedDraft = Partial<AnsweredDraft>

/** Notes on one part of a pull request. */
export interface Notes {
  mainChanges: (Pick<DraftChange, 'fileName' | 'changeTypes' | 'description' | 'evidence'> & Weighted)[]
  notablePoints: (Pick<DraftPoint, 'categories' | 'point' | 'evidence'> & Weighted)[]
}

interface Weighted {
  /** From 1 to 5; 5 is the most important. */
  weight: number
}

/** The translated texts by key. */
export type Translation = Record<string, string>
