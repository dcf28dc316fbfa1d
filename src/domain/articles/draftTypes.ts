import type { JobStage } from '../../db/schema/articleTables.ts'

export type ReportProgress = (stage: JobStage, progress: number) => Promise<void>

export interface StoredPullRequest {
  /** The stored pull request, as JSON. */
  document: Uint8Array
  headSha: string
  hostPrUrl: string
  /** Whether the repository was private when the document was fetched. */
  private: boolean
}
