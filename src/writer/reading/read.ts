import { MAX_CHARACTERS } from '../contractLimits.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import { conversationShares, freeTokens, manifestShare, maxParts, type ReadingLimits, share } from './budget.ts'
import { type ChangedFile, changedFilesOf } from './changedFiles.ts'
import { type Conversation, maskedAgain, renderConversation, sizeOf } from './conversation.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { renderFacts } from './facts.ts'
import { folderList, manifest } from './manifest.ts'
import { type Mask, maskText } from './mask.ts'
import { planReading, type ReadingPlan } from './plan.ts'
import { type Count, fitting } from './tokens.ts'
import { visibleLine } from './visible.ts'

/** The information about a pull request that prompts contain besides the diff. */
export interface PromptContext {
  conversation: Conversation
  /** The list of all changed files. */
  manifest: string
}

/** The result of reading a pull request within the limits. */
export interface Reading {
  pull: PullRequestDocument
  files: ChangedFile[]
  plan: ReadingPlan
  context: PromptContext
  /** Like `context`, but shorter, for a prompt about one part. */
  partContext: PromptContext
  coverage: Coverage
  /** The title of the milestone, masked. */
  milestone: string | null
}

interface Tools {
  count: Count
  mask: Mask
}

/** Reads a pull request within the limits; `instructions` is the number of tokens of the instructions. */
export async function read(
  pull: PullRequestDocument,
  limits: ReadingLimits,
  instructions: number,
  tools: Tools,
): Promise<Reading> {
  const { count, mask } = tools
  const budget = limits.tokensPerCall
  const files = await changedFilesOf(pull, mask)
  const about = await renderFacts(pull, share.fact(budget), mask, count)
  const shares = conversationShares(budget, instructions, count(about))
  const conversation = { about, ...(await renderConversation(pull, shares, mask, count)) }
  const partContext = {
    conversation: introductionOf(conversation, share.introduction(budget), count),
    manifest: folderList(files, share.introduction(budget), count),
  }
  const conversationTokens = sizeOf(conversation, count)
  const maxManifest = manifestShare(budget, instructions, conversationTokens)
  const manifestTokens = Math.min(maxManifest, count(manifest(files, new Map(), maxManifest, count)) + files.length * 8)
  const free = freeTokens(budget, instructions)
  const plan = await planReading(
    files,
    {
      whole: free - manifestTokens - conversationTokens,
      part: free - count(partContext.manifest) - sizeOf(partContext.conversation, count),
      maxParts: maxParts(limits),
    },
    tools,
  )
  const covered = new Map(plan.files.map((file) => [file.path, file]))
  return {
    pull,
    files,
    plan,
    context: {
      conversation: await maskedAgain(conversation, mask),
      manifest: manifest(files, covered, manifestTokens, count),
    },
    partContext: { ...partContext, conversation: await maskedAgain(partContext.conversation, mask) },
    coverage: coverageOf(pull, plan.files, conversation.coverage),
    milestone: await shownMilestone(pull, mask),
  }
}

/** The milestone as an article shows it; null if there is none or if it is too long. */
export async function shownMilestone({ milestone }: Pick<PullRequestDocument, 'milestone'>, mask: Mask) {
  const text = milestone === null ? '' : visibleLine(await maskText(milestone, mask)).trim()
  return text === '' || text.length > MAX_CHARACTERS.since ? null : text
}

/** Reduces a conversation to the description and commits that fit. */
function introductionOf(conversation: Conversation, maxTokens: number, count: Count): Conversation {
  const { description } = conversation
  const text = description && fitting(count, description.text, Math.floor((maxTokens * 2) / 3)).text
  let left = maxTokens - (text ? count(text) : 0)
  const commits = conversation.commits.filter((commit) => {
    left -= count(commit.text) + count(commit.label) + 2
    return left >= 0
  })
  return {
    ...conversation,
    description: description && { ...description, text: text ?? '' },
    commits,
    comments: [],
    issues: [],
  }
}
