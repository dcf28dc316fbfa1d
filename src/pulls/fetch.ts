import { abortable } from '../abortable.ts'
import { type Caller, limitsOf } from '../host/caller.ts'
import type { CodeHost } from '../host/codeHost.ts'
import { HostUnavailable } from '../host/errors.ts'
import type { HostPullRequest } from '../host/pullRequest.ts'
import type { HostFile } from '../host/pullRequestParts.ts'
import type { PullRequestAt } from '../host/pullRequests.ts'
import { type KeptFile, MOST_DIFF_CHARACTERS, MOST_PATCH_CHARACTERS } from './diff.ts'
import {
  type Code,
  type Conversation,
  hasSameCode,
  hasSameConversation,
  type PullRequestDocument,
  toCode,
  toConversation,
  toDocument,
  versionOf,
} from './document.ts'

/** A pull request as the code host showed it to one token. */
export interface Sight {
  pull: HostPullRequest
  etag: string | null
}

interface Options {
  /** What was known before: its parts stay where the code host says that nothing changed about them. */
  former: PullRequestDocument | null
  rereadConversation: boolean
  now: () => Date
}

const MOST_ROUNDS = 3
/** Beyond these the code host refuses to give the diff as one text. */
const HOST_DIFF_FILES = 300
const HOST_DIFF_LINES = 20_000

/**
 * Everything about a pull request, in one state: after the pages were read, the code host is asked once more whether it
 * is still as it was, and what changed in between is read again.
 */
export async function fetchWhole(host: CodeHost, caller: Caller, first: Sight, options: Options) {
  const { token } = caller
  return abortable(limitsOf(caller), (signal) => fetchUntilStill(host, { token, signal }, first, options))
}

async function fetchUntilStill(host: CodeHost, caller: Caller, first: Sight, options: Options) {
  let { former } = options
  let sight = first
  for (let round = 1; ; round++) {
    const { pull, etag } = sight
    const reread = options.rereadConversation && round === 1
    const keptCode = former && hasSameCode(former, pull) && isAllThereIs(former) ? former : null
    const keptConversation = former && hasSameConversation(former, pull) && !reread ? former : null
    const [code, conversation] = await Promise.all([
      keptCode ? codeOf(keptCode) : fetchCode(host, caller, pull),
      keptConversation ? conversationOf(keptConversation) : fetchConversation(host, caller, pull),
    ])
    const document = toDocument(pull, code, conversation, options.now())
    const whole = { sight, document, provisional: 'provisional' in code && code.provisional }
    const again = await host.pullRequest(caller, placeOf(pull), etag)
    if (!again) throw new HostUnavailable('It took the pull request away while it was being read.', 404)
    if (again.unchanged || versionOf(again.value) === versionOf(pull)) return whole
    if (round === MOST_ROUNDS) {
      const turned = again.value.repository.private !== pull.repository.private
      if (hasSameCode(document, again.value) && !turned) return whole
      throw new HostUnavailable('The pull request changes faster than it can be read.')
    }
    sight = { pull: again.value, etag: again.etag }
    // What was read in private is not carried over into what is public.
    former = pull.repository.private && !again.value.repository.private ? null : document
  }
}

function isWithinHostDiff(pull: Pick<HostPullRequest, 'changedFiles' | 'additions' | 'deletions'>): boolean {
  const { changedFiles, additions, deletions } = pull
  return changedFiles > 0 && changedFiles <= HOST_DIFF_FILES && additions + deletions <= HOST_DIFF_LINES
}

/** Whether asking again could not bring lines that are missing. */
function isAllThereIs(document: PullRequestDocument): boolean {
  return document.leftOut.patches === 0 || !isWithinHostDiff(document)
}

/** `provisional` where lines are missing that the code host failed to give, so that it is worth asking again. */
async function fetchCode(host: CodeHost, caller: Caller, pull: HostPullRequest) {
  const at = placeOf(pull)
  let failed = false
  const givesDiff = isWithinHostDiff(pull)
  const [files, diff, commits] = await Promise.all([
    keepFiles(host.files(caller, at, pull.changedFiles)),
    givesDiff
      ? host.diff(caller, at).catch((error) => {
          if (!(error instanceof HostUnavailable)) throw error
          failed = true
          return null
        })
      : null,
    all(host.commits(caller, at, pull.commits)),
  ])
  const code = toCode(pull, files, diff, commits)
  return { ...code, provisional: failed && code.leftOut.patches > 0 }
}

async function fetchConversation(host: CodeHost, caller: Caller, pull: HostPullRequest): Promise<Conversation> {
  const at = placeOf(pull)
  const said = await Promise.all([
    all(host.comments(caller, at, pull.comments)),
    all(host.reviewComments(caller, at, pull.reviewComments)),
    all(host.reviews(caller, at)),
  ])
  return toConversation(pull, said.flat())
}

/** Patches that exceed our bounds are dropped as they come: three thousand files could hold a gigabyte. */
async function keepFiles(pages: AsyncIterable<HostFile[]>): Promise<KeptFile[]> {
  const kept: KeptFile[] = []
  let characters = 0
  for await (const page of pages)
    for (const file of page) {
      const length = file.patch?.length ?? 0
      const patchLeftOut = length > MOST_PATCH_CHARACTERS || characters + length > MOST_DIFF_CHARACTERS
      if (!patchLeftOut) characters += length
      kept.push({ ...file, patch: patchLeftOut ? null : file.patch, patchLeftOut })
    }
  return kept
}

async function all<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...page)
  return items
}

function codeOf({ diff, diffTruncated, files, commits, leftOut }: PullRequestDocument): Code {
  const { files: missingFiles, patches, commits: missingCommits } = leftOut
  return { diff, diffTruncated, files, commits, leftOut: { files: missingFiles, patches, commits: missingCommits } }
}

function conversationOf({ comments, leftOut }: PullRequestDocument): Conversation {
  return { comments, leftOut: { comments: leftOut.comments } }
}

function placeOf({ repository: { owner, name }, number }: HostPullRequest): PullRequestAt {
  return { owner, name, number }
}
