import type { CodeHost } from '../host/codeHost.ts'
import { type HostCredential, limitsOf } from '../host/credential.ts'
import { HostUnavailable } from '../host/errors.ts'
import type { HostPullRequest } from '../host/pullRequest.ts'
import type { HostComment } from '../host/pullRequestParts.ts'
import type { PullRequestAt } from '../host/pullRequests.ts'
import { abortable } from '../lib/abortable.ts'
import type { Threads } from '../threads/threads.ts'
import type { Assembled, FetchedCode } from './assemble.ts'
import { type DocumentFacts, hasSameCode, hasSameConversation, versionOf } from './document.ts'
import { keepAll, keepComments, keepFiles } from './keep.ts'
import { assembleOffLoop } from './offLoop.ts'

/** A pull request as the code host showed it to one token. */
export interface Sight {
  pull: HostPullRequest
  etag: string | null
}

/** A document as it is stored, and its facts. */
export type Former = Pick<Assembled, 'document' | 'facts'>

interface Options {
  /** What was known before: its parts stay where the code host says that nothing changed about them. */
  former: Former | null
  rereadConversation: boolean
  threads: Threads
  now: () => Date
}

const MAX_ROUNDS = 3
/** Beyond these the code host refuses to give the diff as one text. */
const HOST_DIFF_FILES = 300
const HOST_DIFF_LINES = 20_000

/**
 * Everything about a pull request, in one state: after the pages were read, the code host is asked once more whether it
 * is still as it was, and what changed in between is read again.
 */
export async function fetchWhole(host: CodeHost, credential: HostCredential, first: Sight, options: Options) {
  const { token } = credential
  return abortable(limitsOf(credential), (signal) => fetchUntilStill(host, { token, signal }, first, options))
}

async function fetchUntilStill(host: CodeHost, credential: HostCredential, first: Sight, options: Options) {
  let { former } = options
  let sight = first
  for (let round = 1; ; round++) {
    const { pull, etag } = sight
    const reread = options.rereadConversation && round === 1
    const keepsCode = former !== null && hasSameCode(former.facts, pull) && isAllThereIs(former.facts)
    const keepsConversation = former !== null && hasSameConversation(former.facts, pull) && !reread
    const [fetched, comments] = await Promise.all([
      keepsCode ? null : fetchCode(host, credential, pull),
      keepsConversation ? null : fetchComments(host, credential, pull),
    ])
    const assembled = await assembleOffLoop(options.threads, {
      pull,
      code: fetched?.code ?? null,
      comments,
      former: former?.document ?? null,
      fetchedAt: options.now().toISOString(),
    })
    const { facts } = assembled
    const whole = {
      sight,
      ...assembled,
      // In a later round it was held against an earlier one's.
      isUnchanged: assembled.isUnchanged && round === 1,
      provisional: fetched?.diffFailed === true && facts.leftOut.patches > 0,
    }
    const again = await host.pullRequest(credential, placeOf(pull), etag)
    if (!again) throw new HostUnavailable('It took the pull request away while it was being read.', 404)
    if (again.unchanged || versionOf(again.value) === versionOf(pull)) return whole
    if (round === MAX_ROUNDS) {
      const turned = again.value.repository.private !== pull.repository.private
      if (hasSameCode(facts, again.value) && !turned) return whole
      throw new HostUnavailable('The pull request changes faster than it can be read.')
    }
    sight = { pull: again.value, etag: again.etag }
    // What was read in private is not carried over into what is public.
    former = pull.repository.private && !again.value.repository.private ? null : assembled
  }
}

function isWithinHostDiff(pull: Pick<HostPullRequest, 'changedFiles' | 'additions' | 'deletions'>): boolean {
  const { changedFiles, additions, deletions } = pull
  return changedFiles > 0 && changedFiles <= HOST_DIFF_FILES && additions + deletions <= HOST_DIFF_LINES
}

/** Whether asking again could not bring lines that are missing. */
function isAllThereIs(facts: DocumentFacts): boolean {
  return facts.leftOut.patches === 0 || !isWithinHostDiff(facts)
}

/** `diffFailed` where the code host failed to give the diff, so that missing lines are worth asking for again. */
async function fetchCode(
  host: CodeHost,
  credential: HostCredential,
  pull: HostPullRequest,
): Promise<{ code: FetchedCode; diffFailed: boolean }> {
  const at = placeOf(pull)
  let diffFailed = false
  const givesDiff = isWithinHostDiff(pull)
  const [files, diff, commits] = await Promise.all([
    keepFiles(host.files(credential, at, pull.changedFiles)),
    givesDiff
      ? host.diff(credential, at).catch((error) => {
          if (!(error instanceof HostUnavailable)) throw error
          diffFailed = true
          return null
        })
      : null,
    keepAll(host.commits(credential, at, pull.commits)),
  ])
  return { code: { files, diff, commits }, diffFailed }
}

async function fetchComments(
  host: CodeHost,
  credential: HostCredential,
  pull: HostPullRequest,
): Promise<HostComment[]> {
  const at = placeOf(pull)
  const said = await Promise.all([
    keepComments(host.comments(credential, at, pull.comments)),
    keepComments(host.reviewComments(credential, at, pull.reviewComments)),
    keepComments(host.reviews(credential, at)),
  ])
  return said.flat()
}

function placeOf({ repository: { owner, name }, number }: HostPullRequest): PullRequestAt {
  return { owner, name, number }
}
