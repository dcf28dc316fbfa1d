import type { JobStage } from '../db/articleTables.ts'
import type { PullRequestDocument } from '../pulls/document.ts'
import type { StoredContent, withAddresses } from './content.ts'

export type Report = (stage: JobStage, progress: number) => Promise<void>

export interface Subject {
  pull: PullRequestDocument
  /** Whether the repository was when this was read. */
  private: boolean
}

/** What a way of writing gives. */
export type Composed = Pick<StoredContent, 'coverage'> & {
  article: ReturnType<typeof withAddresses>
  generator: Omit<StoredContent['generator'], 'kind' | 'promptVersion' | 'milliseconds'>
}
