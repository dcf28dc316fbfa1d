import type { PullRequestDocument } from '../facts/document.ts'
import { commitsOf, descriptionOf, type Passage } from '../reading/passages.ts'
import { type Block, blocksOfMarkdown, blocksOfMessage, lineOf } from './markdownBlocks.ts'
import { hasLettersOrDigits } from './text.ts'

/** A block of a text by the author, with the passage that it comes from. */
export interface AuthorsBlock extends Block {
  from: Passage
}

/** The author's explanation of the change, from the first of these sources that says more than the title. */
export interface Explanation {
  in: 'description' | 'messages' | 'subjects'
  statements: AuthorsBlock[]
}

export type Explained = Pick<PullRequestDocument, 'title' | 'body' | 'commits' | 'comments' | 'hostPrUrl'>

const MAX_MESSAGES = 20

/** How the author explains the change; null if nothing says more than the title. */
export function explanationOf(pull: Explained): Explanation | null {
  const ownTitle = lineOf(pull.title)
  const saidBy = (statements: AuthorsBlock[]) =>
    withoutRepetition(statements).filter(({ text }) => text !== ownTitle && hasLettersOrDigits(text))
  const description = descriptionOf(pull)
  const described = saidBy(blocksOfMarkdown(pull.body ?? '').map((block) => ({ ...block, from: description })))
  if (described.length > 0) return { in: 'description', statements: described }
  const messages = commitsOf(pull).filter(({ text }) => !text.startsWith('Merge '))
  const bodies = messages
    .slice(0, MAX_MESSAGES)
    .flatMap((from) => blocksOfMessage(restOf(from.text)).map((block) => ({ ...block, from })))
  const explained = saidBy(bodies)
  if (explained.length > 0) return { in: 'messages', statements: explained }
  const subjects = saidBy(messages.map(subjectIn))
  return subjects.length > 0 ? { in: 'subjects', statements: subjects } : null
}

function subjectIn(from: Passage): AuthorsBlock {
  const written = firstLine(from.text)
  return { text: lineOf(written), isItem: true, written, from }
}

function withoutRepetition(statements: AuthorsBlock[]): AuthorsBlock[] {
  return [...new Map(statements.map((statement) => [statement.text, statement])).values()]
}

export function firstLine(message: string): string {
  return message.trimStart().split('\n', 1)[0] ?? ''
}

function restOf(message: string): string {
  const text = message.trimStart()
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}
