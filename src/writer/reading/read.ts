import type { PullRequestDocument } from '../../pulls/document.ts'
import { mostParts, type ReadingLimits, SLACK, share } from './budget.ts'
import { type ChangedFile, changedFilesOf, type Mask } from './changedFiles.ts'
import { type Conversation, tellConversation } from './conversation.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { manifest } from './manifest.ts'
import { planReading, type ReadingPlan } from './plan.ts'
import type { Count } from './tokens.ts'

/** What every prompt about a pull request tells of it. */
export interface Told {
  conversation: Conversation
  manifest: string
}

/** A pull request read as far as it is going to be, ready to be written about. */
export interface Reading {
  pull: PullRequestDocument
  files: ChangedFile[]
  plan: ReadingPlan
  told: Told
  coverage: Coverage
}

interface Tools {
  count: Count
  mask: Mask
}

/** Reads a pull request as far as the limits go; `instructions` is how many tokens the model is told besides. */
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
  const conversation = await tellConversation(pull, shares, mask, count)
  const listed = Math.min(
    share.manifest(budget),
    count(manifest(files, new Map(), share.manifest(budget), count)) + files.length * 8,
  )
  const free = budget - share.repair(budget) - instructions - listed - SLACK
  const plan = await planReading(
    files,
    {
      whole: free - sizeOf(conversation, count),
      part: free - count(conversation.about) - count(conversation.title) - share.introduction(budget),
      mostParts: mostParts(limits),
    },
    tools,
  )
  const covered = new Map(plan.files.map((file) => [file.path, file]))
  const told = {
    conversation: await maskedAgain(conversation, mask),
    manifest: manifest(files, covered, listed, count),
  }
  return { pull, files, plan, told, coverage: coverageOf(pull, plan.files, conversation.coverage) }
}

/** A secret the diff gives away by its name may stand nameless in what was said. */
async function maskedAgain(conversation: Conversation, mask: Mask): Promise<Conversation> {
  const masked = async (text: string) => (await mask(text.split('\n'))).join('\n')
  const { title, description, commits, comments } = conversation
  return {
    ...conversation,
    title: await masked(title),
    description: await masked(description),
    commits: await masked(commits),
    comments: await masked(comments),
  }
}

export function sizeOf({ about, title, description, commits, comments }: Conversation, count: Count): number {
  return [about, title, description, commits, comments].reduce((sum, text) => sum + count(text), 0)
}
