import type { components } from '../../generated/api.ts'

type Schemas = components['schemas']
type Cited<T> = Omit<T, 'evidence'> & { evidence: Citation[] }

/** A citation without its URL on the code host. */
export type Citation = Omit<Schemas['Evidence'], 'url' | 'lines' | 'linesOmitted'>
export type Diagram = Schemas['Diagram']
export type Term = Schemas['Term']
export type Example = Schemas['ExampleFigure']
export type Table = Schemas['TableFigure']
export type Source = Schemas['Source']
export type LineRange = Schemas['LineRange']

export type DraftLead = Cited<Schemas['Lead']>
export type DraftImpact = Cited<Schemas['Impact']>
export type DraftReason = Cited<Schemas['Reason']>
export type DraftSide = Omit<Schemas['CodeSide'], 'url'>
export type DraftPoint = Cited<Schemas['NotablePoint']>
export type DraftMismatch = Cited<Schemas['Mismatch']>
export type DraftFigure = DraftCode | Example | Table
export type DraftChange = Omit<Cited<Schemas['MainChange']>, 'figures'> & { figures: DraftFigure[] }

export interface DraftCode {
  kind: 'code'
  before: DraftSide | null
  after: DraftSide | null
  caption: string
}

/** An article about a pull request in one language, before it is stored. */
export interface Draft {
  aiGeneratedTitle: string
  lead: DraftLead | null
  impact: DraftImpact | null
  reasons: DraftReason[]
  backgroundAndPurpose: string | null
  mainChanges: DraftChange[]
  diagram: Diagram | null
  notablePoints: DraftPoint[]
  mismatches: DraftMismatch[]
  terms: Term[]
}
