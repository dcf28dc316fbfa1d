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
  Source,
} from '../draft.ts'

export type AnsweredSide = Omit<DraftSide, 'lines'>
/** Before, after and caption are those of code, which has no object of its own. */
export type AnsweredFigure = Omit<DraftFigure, 'code'> & {
  before: AnsweredSide | null
  after: AnsweredSide | null
  caption: string
}
export type AnsweredChange = Omit<DraftChange, 'figures'> & { figures: AnsweredFigure[] }
export type AnsweredReason = Omit<DraftReason, 'sources'> & { sources: Omit<Source, 'url'>[] }

/** A draft as the model answers it: without lines of code and addresses, which the program adds. */
export interface AnsweredDraft extends Pick<Draft, 'aiGeneratedTitle' | 'notablePoints' | 'mismatches' | 'terms'> {
  lead: DraftLead
  impact: DraftImpact
  reasons: AnsweredReason[]
  mainChanges: AnsweredChange[]
  diagram: Diagram | null
}

/** Only the items that had errors. */
export type RepairedDraft = Partial<AnsweredDraft>

/** Notes on one part of a pull request. */
export interface Notes {
  mainChanges: (Pick<DraftChange, 'fileName' | 'changeTypes' | 'description' | 'evidence'> & Weighted)[]
  notablePoints: (Pick<DraftPoint, 'categories' | 'point' | 'evidence'> & Weighted)[]
}

interface Weighted {
  /** 5 is the most important. */
  weight: number
}

/** The translated texts by key. */
export type Translation = Record<string, string>
