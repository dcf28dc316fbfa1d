import { Problem } from '../errors.ts'

/** The message must not reveal whether the repository exists but is hidden from the caller. */
export function repositoryNotFound(): Problem {
  return new Problem('HOST_REPO_NOT_FOUND', 'There is no such repository.')
}

export function pullRequestNotFound(): Problem {
  return new Problem('PULL_REQUEST_NOT_FOUND', 'There is no such pull request.')
}
