import type { JobStage } from '../db/articleTables.ts'
import type { StoredContent, TiedDraft } from './content.ts'

export type Report = (stage: JobStage, progress: number) => Promise<void>

export interface Subject {
  /** The pull request as it is stored. */
  document: Uint8Array
  headSha: string
  hostPrUrl: string
  /** Whether the repository was when this was read. */
  private: boolean
}

/** What a way of writing gives. */
export type Composed = Pick<StoredContent, 'coverage'> & {
  article: TiedDraft
  generator: Omit<StoredContent['generator'], 'kind' | 'promptVersion' | 'milliseconds'>
}
