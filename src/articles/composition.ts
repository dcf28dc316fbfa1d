import type { JobStage } from '../db/schema/articleTables.ts'

export type ReportProgress = (stage: JobStage, progress: number) => Promise<void>

export interface StoredPullRequest {
  /** The pull request as it is stored. */
  document: Uint8Array
  headSha: string
  hostPrUrl: string
  /** Whether the repository was when this was read. */
  private: boolean
}
