import { randomBytes } from 'node:crypto'
import type { Message } from '../../model/call.ts'
import type { textsOf } from '../mapTexts.ts'
import { printPassages } from '../reading/conversation.ts'
import type { DiffPart } from '../reading/plan.ts'
import { printHunk } from '../reading/printHunk.ts'
import type { PromptContext } from '../reading/read.ts'
import { headingOf, type RenderedFile } from '../reading/render.ts'
import type { Count } from '../reading/tokens.ts'
import {
  articleInstructions,
  fromNotesInstructions,
  mismatchRequest,
  notesInstructions,
  type Target,
  translationInstructions,
} from './instructions.ts'
import { lengthsFor } from './lengths.ts'

/** The instructions followed by the data. */
type Prompt = [Message, Message]

export interface MeasuredPrompt {
  messages: Message[]
  tokens: number
}

/** The number of tokens that a message takes besides its text. */
export const MESSAGE_TOKENS = 4

export function measured(messages: Message[], count: Count): MeasuredPrompt {
  return { messages, tokens: messages.reduce((sum, { content }) => sum + count(content) + MESSAGE_TOKENS, 0) }
}

type Section = [heading: string, text: string]

export function articlePrompt(context: PromptContext, part: DiffPart, target: Target): Prompt {
  return prompt((mark) => articleInstructions(target, mark), [...about(context), shownDiff(part)])
}

export function notesPrompt(context: PromptContext, part: DiffPart, target: Target): Prompt {
  return prompt((mark) => notesInstructions(target, mark), [...about(context), shownDiff(part)])
}

export function fromNotesPrompt(context: PromptContext, notes: string, target: Target): Prompt {
  const sections: Section[] = [...about(context), ['Notes, with the lines they cite', notes]]
  return prompt((mark) => fromNotesInstructions(target, mark), sections)
}

/**
 * Messages that ask the model to confirm mismatches, after the prompt that the article was written from. An assistant
 * message comes first, because many servers require alternating roles.
 */
export function mismatchMessages([, data]: Message[], findings: { quote: string; text: string }[]): Message[] {
  const mark = /^BEGIN (\S+)/.exec(data?.content ?? '')?.[1] ?? ''
  const listed = findings.map(
    ({ quote, text }, i) => `${i + 1}. Statement:\n> ${oneLine(quote)}\nFinding:\n> ${oneLine(text)}`,
  )
  return [
    { role: 'assistant', content: 'The article is written.' },
    { role: 'user', content: mismatchRequest(listed.join('\n'), mark) },
  ]
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

export function translationPrompt(texts: ReturnType<typeof textsOf>, target: Omit<Target, 'host'>): Prompt {
  const keyed = texts.map(([key, text]) => `## ${key}\n${text}`).join('\n\n')
  const title = lengthsFor(target.language).title
  return prompt((mark) => translationInstructions(target.languageName, title, mark), [['', keyed]])
}

function about({ conversation, manifest }: PromptContext): Section[] {
  const { description, commits, comments, issues } = conversation
  return [
    ['Pull request', conversation.about],
    ['Description', description ? printPassages([description]) : ''],
    ['Commits', printPassages(commits)],
    ['Comments and reviews', printPassages(comments)],
    ['Linked issues', printPassages(issues)],
    ['All changed files: path | status | lines | kind | what is shown below', manifest],
  ]
}

function shownDiff(part: DiffPart): Section {
  return ['Diff: number before, number after, mark, text', part.map(shownFile).join('\n\n')]
}

function shownFile({ file, hunks, width }: RenderedFile): string {
  const lines = hunks.flatMap((hunk) => printHunk(hunk, width))
  if (lines.length === 0) lines.push('no lines: cite it whole')
  return [headingOf(file), ...lines].join('\n')
}

/** Builds a prompt. The mark around the data is random, so that untrusted data cannot contain it. */
function prompt(instruct: (mark: string) => string, sections: Section[]): Prompt {
  const mark = `pull-request-${randomBytes(6).toString('hex')}`
  const texts = sections
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => (heading === '' ? text : `# ${heading}\n${text}`))
  return [
    { role: 'system', content: instruct(mark) },
    { role: 'user', content: `BEGIN ${mark}\n${texts.join('\n\n')}\nEND ${mark}` },
  ]
}
