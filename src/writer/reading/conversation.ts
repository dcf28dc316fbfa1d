import type { components } from '../../../generated/api.ts'
import type { PullRequestDocument } from '../../pulls/documentType.ts'
import { type Mask, maskText } from './mask.ts'
import { commentsOf, commitsOf, descriptionOf, issuesOf, type Passage } from './passages.ts'
import { type Count, fitting } from './tokens.ts'
import { visible, visibleLine } from './visible.ts'

type Coverage = components['schemas']['Coverage']

/** The texts about a pull request that fit, masked, and how much that is of all. */
export interface Conversation {
  /** The title and what else the code host knows of the pull request. */
  about: string
  /** Null if there is none. */
  description: Passage | null
  commits: Passage[]
  comments: Passage[]
  issues: Passage[]
  coverage: Pick<Coverage, 'description' | 'commits' | 'comments'>
}

export interface Shares {
  description: number
  commits: number
  comments: number
  issues: number
}

export async function renderConversation(
  pull: PullRequestDocument,
  shares: Shares,
  mask: Mask,
  count: Count,
): Promise<Conversation> {
  const shown = async (passage: Passage) => ({ ...passage, text: visible(await maskText(passage.text, mask)) })
  const whole = await shown(descriptionOf(pull))
  const description = fitting(count, whole.text, shares.description)
  const take = (passages: Passage[], share: number) => takeFitting(passages, share, count, shown)
  const commits = await take(commitsOf(pull), shares.commits)
  const comments = await take(commentsOf(pull), shares.comments)
  const isWhole = description.whole && !pull.bodyTruncated
  return {
    about: await maskText(factsOf(pull), mask),
    description: whole.text === '' ? null : { ...whole, text: description.text },
    commits,
    comments,
    issues: await take(issuesOf(pull), shares.issues),
    coverage: {
      description: whole.text === '' ? 'none' : isWhole ? 'read' : 'partlyRead',
      commits: { read: commits.length, total: pull.commits.length + pull.leftOut.commits },
      comments: { read: comments.length, total: pull.comments.length + pull.leftOut.comments },
    },
  }
}

/** One fact a line. The values are untrusted, so each stays on its line. */
function factsOf(pull: PullRequestDocument): string {
  const { state, merged, mergedAt, draft, labels, milestone, baseBranch, repositoryDescription } = pull
  const outcome = merged ? `merged ${mergedAt?.slice(0, 10) ?? ''}` : draft ? `${state}, a draft` : state
  const facts: [string, string | null][] = [
    ['Pull request', new URL(pull.hostPrUrl).pathname.slice(1)],
    ['Title', pull.title],
    ['What the repository is', repositoryDescription],
    ['Author', `${pull.authorLogin}${pull.authorIsBot ? ' (a bot)' : ''}`],
    ['State', `${outcome.trim()}, opened ${pull.hostPrCreatedAt.slice(0, 10)}`],
    ['Into the branch', baseBranch],
    ['Milestone', milestone],
    ['Labels', labels.join(', ') || null],
    ['Size', `${pull.changedFiles} files, +${pull.additions} -${pull.deletions} lines`],
  ]
  const known = facts.filter(([, value]) => value !== null)
  return known.map(([name, value]) => `- ${name}: ${visibleLine(value ?? '')}`).join('\n')
}

/** Masks again after the diff was read: the diff may reveal that an unnamed string in a comment is a secret. */
export async function maskedAgain(conversation: Conversation, mask: Mask): Promise<Conversation> {
  const masked = async (passage: Passage) => ({ ...passage, text: await maskText(passage.text, mask) })
  const all = (passages: Passage[]) => Promise.all(passages.map(masked))
  const { about, description, commits, comments, issues } = conversation
  return {
    ...conversation,
    about: await maskText(about, mask),
    description: description && (await masked(description)),
    commits: await all(commits),
    comments: await all(comments),
    issues: await all(issues),
  }
}

/** Every passage that the model is shown. */
export function passagesOf({ description, commits, comments, issues }: Conversation): Passage[] {
  return [...(description ? [description] : []), ...commits, ...comments, ...issues]
}

export function printPassages(passages: Passage[]): string {
  return passages.map(({ label, text }) => (label === '' ? quoted(text) : `[${label}]\n${quoted(text)}`)).join('\n')
}

/** Marks every line, so that quoted text cannot pass for another part of the prompt. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

export function sizeOf(conversation: Conversation, count: Count): number {
  const passages = passagesOf(conversation)
  return count(conversation.about) + passages.reduce((sum, passage) => sum + count(printPassages([passage])) + 1, 0)
}

async function takeFitting(
  passages: Passage[],
  maxTokens: number,
  count: Count,
  show: (passage: Passage) => Promise<Passage>,
): Promise<Passage[]> {
  const taken: Passage[] = []
  let left = maxTokens
  for (const passage of passages) {
    const shown = await show(passage)
    left -= count(printPassages([shown])) + 1
    if (left < 0) break
    taken.push(shown)
  }
  return taken
}
