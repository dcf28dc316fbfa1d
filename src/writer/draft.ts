import type { components } from '../../generated/api.ts'

type Content = components['schemas']['ArticleContent']
type MainChange = components['schemas']['MainChange']
type NotablePoint = components['schemas']['NotablePoint']
type Evidence = components['schemas']['Evidence']

/** A citation without its URL on the code host. */
export type Citation = Omit<Evidence, 'url' | 'lines' | 'linesOmitted'>
export type DraftChange = Pick<MainChange, 'fileName' | 'changeTypes' | 'description'> & { evidence: Citation[] }
export type DraftPoint = Pick<NotablePoint, 'categories' | 'point'> & { evidence: Citation[] }

/** An article about a pull request in one language, before it is stored. */
export type Draft = Pick<Content, 'aiGeneratedTitle' | 'backgroundAndPurpose'> & {
  mainChanges: DraftChange[]
  notablePoints: DraftPoint[]
}
