import { isDeepStrictEqual } from 'node:util'
import type { Threads } from '../../context.ts'
import type { CodeHost } from '../../host/codeHost.ts'
import { type HostCredential, limitsOf } from '../../host/credential.ts'
import { HostUnavailable } from '../../host/errors.ts'
import type { HostPullRequest } from '../../host/pullRequest.ts'
import type { HostComment } from '../../host/pullRequestParts.ts'
import type { PullRequestAt } from '../../host/pullRequests.ts'
import { abortable } from '../../lib/abortable.ts'
import type { DocumentFacts } from '../../writer/facts/document.ts'
import { type AssembledDocument, type FetchedCode, withIssues } from './assemble.ts'
import { hasSameCode, hasSameConversation, versionOf } from './document.ts'
import { keepAll, keepComments, keepFiles } from './keep.ts'
import { fetchIssues, type KnownIssue } from './linkedIssues.ts'
import { assembleOffLoop } from './offLoop.ts'

/** A pull request as the code host returned it for one token. */
export interface Snapshot {
  pull: HostPullRequest
  etag: string | null
}

/** A stored document and its linked issues. */
export interface PreviousDocument extends AssembledDocument {
  issues: KnownIssue[]
}

/** The token and the deadline of all calls together. */
interface SharedCredential {
  token: string | undefined
  signal: AbortSignal
}

interface Options {
  /** The stored document, whose parts are reused if the code host reports them as unchanged. */
  previous: PreviousDocument | null
  rereadConversation: boolean
  threads: Threads
  now: () => Date
}

const MAX_ROUNDS = 3
/** Above these limits the code host refuses to return the diff as one text. */
const HOST_DIFF_FILES = 300
const HOST_DIFF_LINES = 20_000
const MIN_LINES_FOR_ATTRIBUTES = 2000
/** Attributes files are small; more than this is not read. */
const MAX_ATTRIBUTES_BYTES = 100_000
/**
 * The timeout for reading `.gitattributes`, which is optional and must not use up the time for the pull request itself.
 */
const ATTRIBUTES_TIMEOUT_MS = 3000

/**
 * Fetches everything about a pull request in one consistent state: after reading all pages it checks whether the pull
 * request changed meanwhile, and reads the changed parts again.
 */
export async function fetchWhole(host: CodeHost, credential: HostCredential, first: Snapshot, options: Options) {
  const { token } = credential
  return abortable(limitsOf(credential), (signal) => fetchUntilStable(host, { token, signal }, first, options))
}

async function fetchUntilStable(host: CodeHost, credential: SharedCredential, first: Snapshot, options: Options) {
  let { previous } = options
  let snapshot = first
  for (let round = 1; ; round++) {
    const { pull, etag } = snapshot
    const reread = options.rereadConversation && round === 1
    const keepsCode = previous !== null && hasSameCode(previous.facts, pull) && isAsCompleteAsPossible(previous.facts)
    const keepsConversation = previous !== null && hasSameConversation(previous.facts, pull) && !reread
    const [fetched, comments] = await Promise.all([
      keepsCode ? null : fetchCode(host, credential, pull),
      keepsConversation ? null : fetchComments(host, credential, pull),
    ])
    const assembled = await assembleOffLoop(options.threads, {
      pull,
      code: fetched?.code ?? null,
      comments,
      previous: previous?.document ?? null,
      fetchedAt: options.now().toISOString(),
    })
    const { issues, isIncomplete } = await fetchIssues(
      host,
      credential,
      pull,
      assembled.references,
      previous?.issues ?? [],
    )
    const linkedIssues = issues.map(({ issue }) => issue)
    const { document, facts } = withIssues(assembled, linkedIssues)
    const hasSameIssues = isDeepStrictEqual(linkedIssues, previous?.facts.linkedIssues)
    const whole = {
      ...{ snapshot, document, facts, issues },
      // Only the first round compares with the stored document, later ones with the round before.
      isUnchanged: assembled.isUnchanged && hasSameIssues && round === 1,
      provisional: (fetched?.diffFailed === true && facts.leftOut.patches > 0) || isIncomplete,
    }
    const latest = await host.pullRequest(credential, placeOf(pull), etag)
    if (!latest) throw new HostUnavailable('The pull request disappeared while it was being read.', 404)
    if (latest.unchanged || versionOf(latest.value) === versionOf(pull)) return whole
    if (round === MAX_ROUNDS) {
      const visibilityChanged = latest.value.repository.private !== pull.repository.private
      if (hasSameCode(facts, latest.value) && !visibilityChanged) return whole
      throw new HostUnavailable('The pull request changes faster than it can be read.', 200)
    }
    snapshot = { pull: latest.value, etag: latest.etag }
    // Never reuse parts read while the repository was private after it became public.
    previous = pull.repository.private && !latest.value.repository.private ? null : whole
  }
}

function isWithinHostDiff(pull: Pick<HostPullRequest, 'changedFiles' | 'additions' | 'deletions'>): boolean {
  const { changedFiles, additions, deletions } = pull
  return changedFiles > 0 && changedFiles <= HOST_DIFF_FILES && additions + deletions <= HOST_DIFF_LINES
}

/** Whether no lines are missing, or fetching the code again could not add them. */
function isAsCompleteAsPossible(facts: DocumentFacts): boolean {
  return facts.leftOut.patches === 0 || !isWithinHostDiff(facts)
}

/** `diffFailed` is true if the code host failed to return the diff: a later fetch may add the missing lines. */
async function fetchCode(
  host: CodeHost,
  credential: SharedCredential,
  pull: HostPullRequest,
): Promise<{ code: FetchedCode; diffFailed: boolean }> {
  const at = placeOf(pull)
  let diffFailed = false
  const isDiffAvailable = isWithinHostDiff(pull)
  const [files, diff, commits, attributes] = await Promise.all([
    keepFiles(host.files(credential, at, pull.changedFiles)),
    isDiffAvailable
      ? host.diff(credential, at).catch((error) => {
          if (!(error instanceof HostUnavailable)) throw error
          diffFailed = true
          return null
        })
      : null,
    keepAll(host.commits(credential, at, pull.commits)),
    fetchAttributes(host, credential, pull),
  ])
  return { code: { files, diff, commits, attributes }, diffFailed }
}

/**
 * Fetches `.gitattributes`, which marks generated code. That matters only in large pull requests. Without the file,
 * paths and file headers decide.
 */
async function fetchAttributes(
  host: CodeHost,
  { token, signal }: SharedCredential,
  pull: HostPullRequest,
): Promise<Uint8Array | null> {
  if (pull.additions + pull.deletions <= MIN_LINES_FOR_ATTRIBUTES) return null
  const at = { ...pull.repository, path: '.gitattributes', ref: pull.headSha }
  const file = await abortable({ milliseconds: ATTRIBUTES_TIMEOUT_MS, signals: [signal] }, (limit) =>
    host.file({ token, signal: limit }, at),
  ).catch((error) => {
    if (!(error instanceof HostUnavailable)) throw error
    return null
  })
  // A copy, because a view would keep all bytes in memory and pass them to the thread.
  return file && new Uint8Array(file.subarray(0, MAX_ATTRIBUTES_BYTES))
}

async function fetchComments(
  host: CodeHost,
  credential: HostCredential,
  pull: HostPullRequest,
): Promise<HostComment[]> {
  const at = placeOf(pull)
  const pages = await Promise.all([
    keepComments(host.comments(credential, at, pull.comments)),
    keepComments(host.reviewComments(credential, at, pull.reviewComments)),
    keepComments(host.reviews(credential, at)),
  ])
  return pages.flat()
}

function placeOf({ repository: { owner, name }, number }: HostPullRequest): PullRequestAt {
  return { owner, name, number }
}
