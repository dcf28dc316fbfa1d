import type { PullRequestDocument } from '../../pulls/document.ts'
import type { Draft } from '../draft.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { FileKind } from '../reading/kinds.ts'
import { changeOf, inOrderOfImportance } from './changes.ts'
import { firstCitable } from './citations.ts'
import { breakingNote, type ConventionalTitle, declaredType, subjectOf } from './conventional.ts'
import { ENGLISH } from './english.ts'
import { JAPANESE } from './japanese.ts'
import { type Block, blocksOfMarkdown, blocksOfMessage, firstBlocks, lineOf } from './markdownBlocks.ts'
import { purposeOf } from './paths.ts'
import { type AuthorStatements, pointsOf } from './points.ts'
import { cut, hasLettersOrDigits, visible } from './text.ts'
import type { Words } from './words.ts'

type Pull = Pick<
  PullRequestDocument,
  'title' | 'body' | 'commits' | 'changedFiles' | 'additions' | 'deletions' | 'leftOut'
>

const LANGUAGES = { ja: JAPANESE, en: ENGLISH }
const MAX_TITLE = 80
const MAX_SCOPE = 30
const MAX_QUOTATION = 600
const MAX_NOTE = 300
const MAX_MESSAGES = 20
const MAX_CHANGES = 20

/**
 * Describes a pull request without a model: counts, names, and quotations of its author. Without files it lists no
 * changes.
 */
export function writeOutline(pull: Pull, files: ChangedFile[], language: 'ja' | 'en'): Draft {
  const words = LANGUAGES[language]
  const subjects = pull.commits.map(({ message }) => subjectOf(firstLine(message)))
  const important = inOrderOfImportance(files)
  const declared = declaredType(pull.title, subjects)
  return {
    aiGeneratedTitle: titleOf(pull.title, words),
    backgroundAndPurpose: backgroundOf(pull, files, words),
    mainChanges: firstCitable(important, MAX_CHANGES).map((file) => changeOf(file, declared, words)),
    notablePoints: pointsOf(files, important, statementsOf(pull, subjects, words), words),
  }
}

function titleOf(title: string, words: Words): string {
  const { type, scope, isBreaking, text } = subjectOf(visible(title))
  const own = withoutLeadingMarks(lineOf(text))
  if (!hasLettersOrDigits(own)) return words.untitled
  if (!type) return cut(own, MAX_TITLE)
  const shownScope = scope === null ? null : cut(lineOf(scope), MAX_SCOPE)
  return cut(words.headline(words.types[type], shownScope, isBreaking, own), MAX_TITLE)
}

/** Removes marks that would turn the line into a heading, a list or a link definition. */
function withoutLeadingMarks(line: string): string {
  return line
    .replace(/^(?:[#=~*+|-]+(?:\s|$)\s*|\d{1,9}[.)]\s+|>\s*|~{3,}\s*)+/, '')
    .replace(/^\[([^\][]*)\]:\s*/, '$1: ')
    .replaceAll(']:', '] :')
}

/** Null without a text of the author, because counts alone are no background. */
function backgroundOf(pull: Pull, files: ChangedFile[], words: Words): string | null {
  const quotation = quotationOf(pull, words)
  return quotation && `${quotation}\n\n${factsOf(pull, files, words)}`
}

function quotationOf({ title, body, commits }: Pull, words: Words): string | null {
  const ownTitle = lineOf(title)
  const differsFromTitle = ({ text }: Block) => text !== ownTitle
  const described = withoutRepetition(blocksOfMarkdown(body ?? '')).filter(differsFromTitle)
  if (described.length > 0) return quoted(words.authorWrites, described, words)
  const messages = commits.map(({ message }) => message).filter((message) => !message.startsWith('Merge '))
  const bodies = messages.slice(0, MAX_MESSAGES).flatMap((message) => blocksOfMessage(restOf(message)))
  const explained = withoutRepetition(bodies).filter(differsFromTitle)
  if (explained.length > 0) return quoted(words.commitsSay, explained, words)
  const headed = messages.map((message) => ({ text: lineOf(firstLine(message)), isItem: true }))
  const subjects = withoutRepetition(headed).filter(
    (block) => differsFromTitle(block) && hasLettersOrDigits(block.text),
  )
  return subjects.length > 0 ? quoted(words.commitSubjects, subjects, words) : null
}

function withoutRepetition(blocks: Block[]): Block[] {
  return [...new Map(blocks.map((block) => [block.text, block])).values()]
}

function quoted(attribution: string, blocks: Block[], words: Words): string {
  const [first, ...others] = firstBlocks(blocks, MAX_QUOTATION)
  if (!first) return ''
  if (others.length === 0) return `${attribution} ${words.quote(first.text)}`
  return [first, ...others].reduce((text, block, at, all) => {
    const continuesList = block.isItem && all[at - 1]?.isItem
    return `${text}${continuesList ? '\n' : '\n\n'}${block.isItem ? '- ' : ''}${words.quote(block.text)}`
  }, attribution)
}

function factsOf({ changedFiles, additions, deletions, leftOut }: Pull, files: ChangedFile[], words: Words): string {
  const counts = new Map<FileKind, number>()
  for (const kind of files.map(purposeOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const kinds = [...counts].sort(([, a], [, b]) => b - a)
  return words.facts({
    ...{ files: changedFiles, additions, deletions, kinds },
    filesLeftOut: leftOut.files,
    patchesLeftOut: leftOut.patches,
  })
}

function statementsOf(
  { title, body, commits, leftOut }: Pull,
  subjects: ConventionalTitle[],
  words: Words,
): AuthorStatements {
  const own = subjectOf(title)
  const texts = [body ?? '', ...commits.map(({ message }) => message)]
  const notes = texts.map(breakingNote).filter((note) => note !== null)
  const note = notes.values().map(lineOf).find(hasLettersOrDigits)
  return {
    isBreaking: notes.length > 0 || [own, ...subjects].some(({ isBreaking }) => isBreaking),
    breakingNote: note === undefined ? null : words.quote(cut(note, MAX_NOTE)),
    isAboutDocs: own.type === 'docs',
    filesLeftOut: leftOut.files,
  }
}

function firstLine(message: string): string {
  return message.trimStart().split('\n', 1)[0] ?? ''
}

function restOf(message: string): string {
  const text = message.trimStart()
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}
