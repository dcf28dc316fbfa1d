import type { JobStage } from '../db/schema/articleTables.ts'

export type Report = (stage: JobStage, progress: number) => Promise<void>

export interface Subject {
  /** The pull request as it is stored. */
  document: Uint8Array
  headSha: string
  hostPrUrl: string
  /** Whether the repository was when this was read. */
  private: boolean
}
