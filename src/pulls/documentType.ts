import type { components } from '../../generated/api.ts'

export type PullRequest = components['schemas']['PullRequest']
/** A pull request without the name of its repository, which is looked up on each read. */
export type PullRequestDocument = Omit<PullRequest, 'owner' | 'repo' | 'repositoryFullName'>
