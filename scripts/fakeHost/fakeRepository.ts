export interface FakeRepository {
  id: number
  owner: string
  name: string
  private?: boolean
  /**
   * Whether the host answers 403: `forbidsTokens` to requests with a token, as for single sign-on; `isBlocked` to all
   * requests, as for a blocked repository.
   */
  forbidsTokens?: boolean
  isBlocked?: boolean
  /** The host's page where users can authorize a token that is forbidden. */
  authorizationUrl?: string
  members?: string[]
  /** Users who can see that the repository exists, but not its contents. */
  describedTo?: string[]
  pulls?: FakePull[]
  issues?: FakeIssue[]
  /** Text files by path, the same at every commit. */
  contents?: Record<string, string>
  description?: string | null
  stars?: number
  /** The origin of the repository's web pages. */
  webUrl?: string
}

/** A pull request on the host. Omitted fields get defaults. */
export interface FakePull {
  number: number
  title?: string
  body?: string | null
  author?: string | null
  /** Whether the host marks the author as a bot. */
  isBot?: boolean
  labels?: string[]
  milestone?: string | null
  baseBranch?: string
  state?: 'open' | 'closed'
  draft?: boolean
  mergedAt?: string | null
  head?: string
  base?: string
  createdAt?: string
  updatedAt?: string
  files?: FakeFile[]
  /** Overrides the count, for hosts that list fewer files than they count. */
  changedFiles?: number
  /** `null` if the host refuses to return the diff. */
  diff?: string | null
  comments?: FakeComment[]
  reviewComments?: FakeComment[]
  reviews?: FakeComment[]
  commits?: { message: string; author: string | null; date?: string }[]
  /** A field of the response that has no meaning: another value changes only the ETag. */
  noise?: number
}

export interface FakeIssue {
  number: number
  title?: string
  body?: string | null
  author?: string | null
  state?: string
  labels?: string[]
  /** The repository that it was transferred to, and its number there. */
  movedTo?: { repository: number; number: number }
}

export interface FakeFile {
  filename: string
  status?: string
  additions?: number
  deletions?: number
  previous_filename?: string
  patch?: string
  sha?: string
}

export interface FakeComment {
  author: string | null
  body: string | null
  at: string
  path?: string
  line?: number
  state?: string
  url?: string | null
}
