import { forbidden, Problem } from '../../errors.ts'
import { type HostForbidden, HostRateLimited, HostTokenRefused, HostUnavailable } from '../../host/errors.ts'

/** The message must not reveal whether the repository exists but is hidden from the caller. */
export function repositoryNotFound(): Problem {
  return new Problem('HOST_REPO_NOT_FOUND', 'There is no such repository.')
}

/** The error if the code host forbids a public repository to the viewer's token. */
export function hostForbidsToken({ authorizationUrl }: HostForbidden): Problem {
  return forbidden(
    'host_forbids_token',
    'The code host forbids this access token for this repository, which is public.',
    authorizationUrl === undefined ? {} : { authorizationUrl },
  )
}

export function isForbiddenByHost({ details }: Problem): boolean {
  return details?.reason === 'host_forbids_token'
}

export function pullRequestNotFound(): Problem {
  return new Problem('PULL_REQUEST_NOT_FOUND', 'There is no such pull request.')
}

/** The error of the contract for an error of the code host; undefined for other errors. */
export function hostProblem(error: unknown): Problem | undefined {
  if (error instanceof HostRateLimited)
    return new Problem('RATE_LIMITED', "The code host's rate limit for this token is exhausted.", {
      details: { by: 'host' },
      retryAfter: error.retryAfter,
    })
  if (error instanceof HostUnavailable || error instanceof HostTokenRefused)
    return new Problem('HOST_UNAVAILABLE', 'The code host is unavailable.', {
      retryAfter: error instanceof HostUnavailable ? error.retryAfter : undefined,
    })
  return undefined
}
