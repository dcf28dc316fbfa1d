import type { components } from '../../generated/api.ts'

type Content = components['schemas']['ArticleContent']
type MainChange = components['schemas']['MainChange']
type NotablePoint = components['schemas']['NotablePoint']
type Evidence = components['schemas']['Evidence']

/** A citation before it is tied to an address on the code host. */
export type Citation = Omit<Evidence, 'url'>
export type DraftChange = Omit<MainChange, 'evidence'> & { evidence: Citation[] }
export type DraftPoint = Omit<NotablePoint, 'evidence'> & { evidence: Citation[] }

/** What a writer says of a pull request, in one language. */
export type Draft = Pick<Content, 'aiGeneratedTitle' | 'backgroundAndPurpose'> & {
  mainChanges: DraftChange[]
  notablePoints: DraftPoint[]
}
