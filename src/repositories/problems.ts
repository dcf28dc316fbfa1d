import { Problem } from '../errors.ts'

/** The same words whether there is none or none for this caller. */
export function repositoryNotFound(): Problem {
  return new Problem('HOST_REPO_NOT_FOUND', 'There is no such repository.')
}

export function pullRequestNotFound(): Problem {
  return new Problem('PULL_REQUEST_NOT_FOUND', 'There is no such pull request.')
}
