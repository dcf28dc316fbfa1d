import type { Context } from '../../context.ts'
import type { HostRepository } from '../../host/codeHost.ts'
import type { HostCredential } from '../../host/credential.ts'
import { HostForbidden, HostRateLimited, HostTokenRefused, HostUnavailable } from '../../host/errors.ts'

type Ask = (credential: HostCredential) => Promise<HostRepository | null>

interface Options {
  /** The deadline, by `performance.now()`. */
  until?: number
  onForbidden?: () => Promise<void>
  /** Called before a call without a token. The code host allows few such calls. */
  onAnonymous?: () => void
}

/** The code host answers no anonymous requests, because their rate limit is used up or because it requires a token. */
export class AnonymousCheckRefused extends Error {}

/**
 * Asks the code host about a repository with the service's own token. If the code host refuses the token or forbids it
 * this repository, asks again without a token, because everybody else may see the repository.
 */
export async function askAsService(
  ctx: Context,
  ask: Ask,
  { until, onForbidden, onAnonymous }: Options = {},
): Promise<HostRepository | null> {
  const limit = until === undefined ? {} : { until }
  const token = ctx.config.codeHost.token?.reveal()
  if (token !== undefined)
    try {
      return await ask({ token, ...limit })
    } catch (error) {
      if (error instanceof HostTokenRefused)
        ctx.log.error('The code host rejects CODE_HOST_TOKEN. Asking without a token, at a much lower rate limit.')
      else if (error instanceof HostForbidden) await onForbidden?.()
      else throw error
    }
  onAnonymous?.()
  return ask({ token: undefined, ...limit }).catch((error) => {
    const isRefused = error instanceof HostRateLimited || error instanceof HostTokenRefused
    throw isRefused ? new AnonymousCheckRefused(error.message, { cause: error }) : error
  })
}

/** Whether the code host answered, but did not say whether the repository exists. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof HostUnavailable) return error.status !== undefined && error.status < 500
  return error instanceof HostRateLimited
}
