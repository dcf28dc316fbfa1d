import type { Context } from '../../context.ts'
import { type KnownRepository, recordAnswer } from '../../db/repositories/repositories.ts'
import type { HostCredential } from '../../host/credential.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'

/** Fetches from the code host: a viewer with their own token, or the service with its own. */
export interface HostReader {
  /** Its ETags are kept for this session, because they differ by token. Null if none are kept. */
  sessionId: string | null
  /** The deadline for all calls, by `performance.now()`. */
  until: number
  ask<T>(call: (credential: HostCredential) => Promise<T>): Promise<T>
  /** Stores that the code host showed a repository. Throws if the reader must not go on. */
  recordVisibility(repository: KnownRepository, askedAt: Date): Promise<void>
}

export function viewerReader(ctx: Context, viewer: Viewer): HostReader {
  return {
    sessionId: viewer.id,
    until: viewer.until,
    ask: (call) => askHost(ctx, viewer, call),
    async recordVisibility(repository, askedAt) {
      const { host_repo_id: hostRepoId } = repository
      await recordAnswer(ctx.db, { sessionId: viewer.id, hostRepoId, repository, askedAt, heardAt: ctx.now() })
    },
  }
}
