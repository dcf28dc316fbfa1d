import type { Octokit } from '@octokit/rest'
import { type HostCredential, requestOptions } from './credential.ts'
import type { Decode } from './decode.ts'
import type { HostIssue } from './issue.ts'
import { ABSENT_OR_FORBIDDEN, type Conditional, toConditional, withEtag } from './responses.ts'

export interface IssueAt {
  owner: string
  name: string
  number: number
}

export interface IssueCalls {
  /** Null also if the issue was moved to another repository, to which the code host redirects. */
  issue(credential: HostCredential, at: IssueAt, etag: string | null): Promise<Conditional<HostIssue> | null>
}

export function issueCalls({ rest }: Octokit, decode: Decode): IssueCalls {
  return {
    issue: async (credential, { owner, name, number }, etag) => {
      const parameters = { owner, repo: name, issue_number: number, ...withEtag(requestOptions(credential), etag) }
      const answer = await toConditional(
        rest.issues.get(parameters),
        ({ bytes }) => decode('issue', bytes),
        ABSENT_OR_FORBIDDEN,
      )
      if (!answer || answer.unchanged) return answer
      const isOwn = answer.value.repositoryFullName === `${owner}/${name}`.toLowerCase()
      return isOwn && answer.value.number === number ? answer : null
    },
  }
}
