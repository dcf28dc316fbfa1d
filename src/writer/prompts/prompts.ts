import { randomBytes } from 'node:crypto'
import type { Message } from '../../model/call.ts'
import type { Draft } from '../draft.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Part } from '../reading/plan.ts'
import type { PromptContext } from '../reading/read.ts'
import { headingOf, type RenderedFile } from '../reading/render.ts'
import type { Count } from '../reading/tokens.ts'
import {
  articleInstructions,
  fromNotesInstructions,
  notesInstructions,
  translationInstructions,
} from './instructions.ts'

/** The instructions followed by the data. */
type Prompt = [Message, Message]

export interface MeasuredPrompt {
  messages: Message[]
  tokens: number
}

/** Overhead of a message besides its text. */
export const MESSAGE_TOKENS = 4

export function measured(messages: Prompt, count: Count): MeasuredPrompt {
  return { messages, tokens: messages.reduce((sum, { content }) => sum + count(content) + MESSAGE_TOKENS, 0) }
}

type Section = [heading: string, text: string]

export function articlePrompt(context: PromptContext, part: Part, language: string, host: string): Prompt {
  return prompt((mark) => articleInstructions(language, host, mark), [...about(context), shownDiff(part)])
}

/** Notes need only an introduction to the whole pull request, so commits and comments are left out. */
export function notesPrompt(
  { conversation, manifest }: PromptContext,
  part: Part,
  description: string,
  host: string,
): Prompt {
  const introduction: Section[] = [
    ['Pull request', conversation.about],
    ['Title', conversation.title],
    ['Description', description],
    ['All changed files', manifest],
  ]
  return prompt((mark) => notesInstructions(host, mark), [...introduction, shownDiff(part)])
}

export function fromNotesPrompt(context: PromptContext, notes: string, language: string, host: string): Prompt {
  const sections: Section[] = [...about(context), ['Notes, with the lines they cite', notes]]
  return prompt((mark) => fromNotesInstructions(language, host, mark), sections)
}

export function translationPrompt(draft: Draft, language: string): Prompt {
  const texts = [
    `aiGeneratedTitle: ${draft.aiGeneratedTitle}`,
    ...(draft.backgroundAndPurpose === null ? [] : [`backgroundAndPurpose: ${draft.backgroundAndPurpose}`]),
    ...draft.mainChanges.map(({ description }) => `mainChanges: ${description}`),
    ...draft.notablePoints.map(({ point }) => `notablePoints: ${point}`),
  ]
  return prompt((mark) => translationInstructions(language, mark), [['', texts.join('\n')]])
}

function about({ conversation, manifest }: PromptContext): Section[] {
  return [
    ['Pull request', conversation.about],
    ['Title', conversation.title],
    ['Description', conversation.description],
    ['Commits', conversation.commits],
    ['Comments', conversation.comments],
    ['All changed files: path | status | lines | kind | what is shown below', manifest],
  ]
}

function shownDiff(part: Part): Section {
  return ['Diff, every line numbered on its own side', part.map(shownFile).join('\n\n')]
}

function shownFile({ file, hunks }: RenderedFile): string {
  const lines = hunks.flatMap((hunk) => [hunk.heading, ...hunk.lines.map(({ text }) => text)])
  if (lines.length === 0) lines.push('no lines: cite it whole')
  return [headingOf(file), ...lines].join('\n')
}

/** The notes on a file and the cited lines. */
export function notedFile(file: ChangedFile, notes: string[], lines: string[]): string {
  return [headingOf(file), ...notes.map((note) => `> note: ${note.replaceAll('\n', ' ')}`), ...lines].join('\n')
}

/** The mark is random, so that untrusted data cannot contain it. */
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
