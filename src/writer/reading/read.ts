import type { PullRequestDocument } from '../../pulls/document.ts'
import { maxParts, type ReadingLimits, SLACK, share } from './budget.ts'
import { type ChangedFile, changedFilesOf } from './changedFiles.ts'
import { type Conversation, renderConversation } from './conversation.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { manifest } from './manifest.ts'
import { type Mask, maskText } from './mask.ts'
import { planReading, type ReadingPlan } from './plan.ts'
import type { Count } from './tokens.ts'

/** The information about a pull request that prompts contain besides the diff. */
export interface PromptContext {
  conversation: Conversation
  manifest: string
}

/** The result of reading a pull request within the limits. */
export interface Reading {
  pull: PullRequestDocument
  files: ChangedFile[]
  plan: ReadingPlan
  context: PromptContext
  coverage: Coverage
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
  const shares = {
    description: share.description(budget),
    commits: share.commits(budget),
    comments: share.comments(budget),
  }
  const conversation = await renderConversation(pull, shares, mask, count)
  const manifestTokens = Math.min(
    share.manifest(budget),
    count(manifest(files, new Map(), share.manifest(budget), count)) + files.length * 8,
  )
  const free = budget - share.repair(budget) - instructions - manifestTokens - SLACK
  const plan = await planReading(
    files,
    {
      whole: free - sizeOf(conversation, count),
      part: free - count(conversation.about) - count(conversation.title) - share.introduction(budget),
      maxParts: maxParts(limits),
    },
    tools,
  )
  const covered = new Map(plan.files.map((file) => [file.path, file]))
  const context = {
    conversation: await maskedAgain(conversation, mask),
    manifest: manifest(files, covered, manifestTokens, count),
  }
  return { pull, files, plan, context, coverage: coverageOf(pull, plan.files, conversation.coverage) }
}

/** Masks again after the diff was read: the diff may reveal that an unnamed string in a comment is a secret. */
async function maskedAgain(conversation: Conversation, mask: Mask): Promise<Conversation> {
  const { title, description, commits, comments } = conversation
  return {
    ...conversation,
    title: await maskText(title, mask),
    description: await maskText(description, mask),
    commits: await maskText(commits, mask),
    comments: await maskText(comments, mask),
  }
}

export function sizeOf({ about, title, description, commits, comments }: Conversation, count: Count): number {
  return [about, title, description, commits, comments].reduce((sum, text) => sum + count(text), 0)
}
