import type { components } from '../../../generated/api.ts'
import { clip } from '../../lib/clip.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import type { Shares } from './budget.ts'
import { type Mask, maskText } from './mask.ts'
import { commentsOf, commitsOf, descriptionOf, issuesOf, type Passage } from './passages.ts'
import { type Count, fitting } from './tokens.ts'
import { visible } from './visible.ts'

type Coverage = components['schemas']['Coverage']

/** The masked texts about a pull request that fit a prompt, and how much of all texts they cover. */
export interface Conversation {
  /** The title and other facts from the code host, one per line. */
  about: string
  /** Null if the pull request has no description. */
  description: Passage | null
  commits: Passage[]
  comments: Passage[]
  issues: Passage[]
  coverage: Pick<Coverage, 'description' | 'commits' | 'comments'>
}

const MAX_PASSAGE_CHARACTERS = 8000

export async function renderConversation(
  pull: PullRequestDocument,
  shares: Shares,
  mask: Mask,
  count: Count,
): Promise<Omit<Conversation, 'about'>> {
  const masked = async (passage: Passage) => {
    const { text, ...rest } = await maskedPassage(passage, mask)
    return { ...rest, text: visible(text) }
  }
  const excerptOf = async (passage: Passage) => {
    const { text, ...rest } = await masked(passage)
    return { ...rest, text: clip(text, MAX_PASSAGE_CHARACTERS).text }
  }
  const whole = await masked(descriptionOf(pull))
  const description = shortened(whole, shares.description, count)
  const commits = await takeFitting(commitsOf(pull), shares.commits, count, excerptOf)
  const comments = await takeFitting(commentsOf(pull), shares.comments, count, excerptOf)
  const isWhole = description.text === whole.text && !pull.bodyTruncated
  return {
    description: whole.text === '' ? null : description,
    commits,
    comments,
    issues: await takeShortened(issuesOf(pull), shares.issues, count, excerptOf),
    coverage: {
      description: whole.text === '' ? 'none' : isWhole ? 'read' : 'partlyRead',
      commits: { read: commits.length, total: pull.commits.length + pull.leftOut.commits },
      comments: { read: comments.length, total: pull.comments.length + pull.leftOut.comments },
    },
  }
}

/** Masks again after the diff was read: the diff may reveal that an unnamed string in a comment is a secret. */
export async function maskedAgain(conversation: Conversation, mask: Mask): Promise<Conversation> {
  const all = (passages: Passage[]) => Promise.all(passages.map((passage) => maskedPassage(passage, mask)))
  const { about, description, commits, comments, issues } = conversation
  return {
    ...conversation,
    about: await maskText(about, mask),
    description: description && (await maskedPassage(description, mask)),
    commits: await all(commits),
    comments: await all(comments),
    issues: await all(issues),
  }
}

/** Masks the label too: it may name a path, which may contain a secret like any text. */
async function maskedPassage(passage: Passage, mask: Mask): Promise<Passage> {
  const [label = '', text = ''] = await mask([passage.label, passage.text])
  return { ...passage, label, text }
}

/** Every passage that the model is shown. */
export function passagesOf({ description, commits, comments, issues }: Conversation): Passage[] {
  return [...(description ? [description] : []), ...commits, ...comments, ...issues]
}

export function printPassages(passages: Passage[]): string {
  return passages.map(({ label, text }) => (label === '' ? quoted(text) : `[${label}]\n${quoted(text)}`)).join('\n')
}

/** Marks every line with `>`, so that quoted text cannot pass for another part of the prompt. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

export function sizeOf(conversation: Conversation, count: Count): number {
  const passages = passagesOf(conversation)
  return count(conversation.about) + passages.reduce((sum, passage) => sum + sizeOfPassage(passage, count), 0)
}

function sizeOfPassage(passage: Passage, count: Count): number {
  return count(printPassages([passage])) + 1
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
    const excerpt = await show(passage)
    left -= sizeOfPassage(excerpt, count)
    if (left < 0) break
    taken.push(excerpt)
  }
  return taken
}

/**
 * Shortens passages until they fit. Each one may take half of the tokens that are left, and the last one all of them.
 */
async function takeShortened(
  passages: Passage[],
  maxTokens: number,
  count: Count,
  show: (passage: Passage) => Promise<Passage>,
): Promise<Passage[]> {
  const taken: Passage[] = []
  let left = maxTokens
  for (const [i, passage] of passages.entries()) {
    const most = i === passages.length - 1 ? left : Math.floor(left / 2)
    const excerpt = shortened(await show(passage), most, count)
    if (excerpt.text === '') continue
    left -= sizeOfPassage(excerpt, count)
    taken.push(excerpt)
  }
  return taken
}

/** The beginning of a passage whose printed form fits, in whole lines if at least one fits. */
function shortened(passage: Passage, maxTokens: number, count: Count): Passage {
  const label = sizeOfPassage({ ...passage, text: '' }, count)
  const { text, whole } = fitting(count, quoted(passage.text), Math.max(0, maxTokens - label))
  return whole ? passage : { ...passage, text: text.replace(/^> ?/gm, '') }
}
