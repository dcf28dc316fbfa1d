import type { Context } from '../../context.ts'
import { type KnownRepository, recordAnswer } from '../../db/repositories/repositories.ts'
import type { HostCredential } from '../../host/credential.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'

/** Fetches from the code host, for a viewer with the viewer's token, or for the service with its own. */
export interface HostReader {
  /** The session for which ETags are stored, because they differ by token. Null if none are stored. */
  sessionId: string | null
  /** The deadline for all calls, by `performance.now()`. */
  until: number
  ask<T>(call: (credential: HostCredential) => Promise<T>): Promise<T>
  /** Records that the code host showed the repository to this reader. Throws if the reader must not continue. */
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
