import type { Draft } from '../draft.ts'
import {
  breakingNote,
  type ConventionalTitle,
  declarationOf,
  declaredChangeType,
  subjectOf,
} from '../facts/conventional.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import type { FileKind } from '../reading/kinds.ts'
import { changeOf, inOrderOfImportance } from './changes.ts'
import { firstCitable } from './citations.ts'
import { ENGLISH } from './english.ts'
import { impactOf } from './impact.ts'
import { JAPANESE } from './japanese.ts'
import { leadOf } from './lead.ts'
import { firstBlocks, lineOf } from './markdownBlocks.ts'
import { purposeOf, shortNames } from './paths.ts'
import { type AuthorStatements, pointsOf } from './points.ts'
import { reasonsOf } from './reasons.ts'
import { type Explained, type Explanation, explanationOf, firstLine } from './statements.ts'
import { cleanLine, cut, harmless, hasLettersOrDigits } from './text.ts'
import type { Words } from './words.ts'

type Pull = Explained & Pick<PullRequestDocument, 'changedFiles' | 'additions' | 'deletions' | 'leftOut'>

interface Options {
  language: 'ja' | 'en'
  /** The files whose lines may be shown, because secrets in them are masked. */
  masked: Set<ChangedFile>
  /** The release or milestone that contains the change; null if unknown. */
  since: string | null
}

const LANGUAGES = { ja: JAPANESE, en: ENGLISH }
const MAX_TITLE = 80
const MAX_SCOPE = 30
const MAX_QUOTATION = 600
const MAX_NOTE = 300
const MAX_CHANGES = 20
/**
 * How many figures the three most important files may have. Removed files, and files whose secrets are not masked, get
 * no figures and do not count.
 */
const MAX_FIGURES = [2, 1, 1]

/**
 * Describes a pull request without a model: counts, names, and quotations of its author. Without files it lists no
 * changes.
 */
export function writeOutline(pull: Pull, files: ChangedFile[], { language, masked, since }: Options): Draft {
  const words = LANGUAGES[language]
  const subjects = pull.commits.map(({ message }) => subjectOf(firstLine(message)))
  const important = inOrderOfImportance(files)
  const declaration = declarationOf(pull.title, subjects)
  const declared = declaredChangeType(pull.title, declaration)
  const statements = statementsOf(pull, subjects, words)
  const points = pointsOf(files, important, statements, words)
  const explanation = explanationOf(pull)
  const { scope } = subjectOf(pull.title)
  const listed = firstCitable(important, MAX_CHANGES)
  const names = shortNames(listed)
  const figureFiles = listed.filter((file) => masked.has(file) && file.status !== 'removed')
  return {
    aiGeneratedTitle: titleOf(pull.title, statements.isBreaking, words),
    lead: leadOf(pull, files, important, { declaration, isBreaking: statements.isBreaking }, words),
    impact: impactOf(files, important, { statements, declaration, scope, points, since }, words),
    reasons: reasonsOf(explanation, words),
    backgroundAndPurpose: backgroundOf(pull, explanation, files, words),
    mainChanges: listed.map((file, i) => {
      const maxFigures = MAX_FIGURES[figureFiles.indexOf(file)] ?? 0
      return changeOf(file, { name: names[i] ?? file.name, maxFigures }, declared, words)
    }),
    diagram: null,
    notablePoints: points,
    mismatches: [],
    terms: [],
  }
}

/** The title of the outline as plain text, without Markdown. */
function titleOf(title: string, isBreaking: boolean, words: Words): string {
  const { scope, text } = subjectOf(cleanLine(title))
  const own = plainLine(text)
  if (!hasLettersOrDigits(own)) return words.untitled
  const shownScope = scope === null ? null : cut(plainLine(scope), MAX_SCOPE)
  return cut(words.headline(shownScope, isBreaking, own), MAX_TITLE)
}

function plainLine(text: string): string {
  return withoutLeadingMarks(harmless(lineOf(text).replaceAll('`', '')).trim())
}

/** Removes marks that would turn the line into a heading, a list or a link definition. */
function withoutLeadingMarks(line: string): string {
  return line
    .replace(/^(?:[#=~*+|-]+(?:\s|$)\s*|\d{1,9}[.)]\s+|>\s*|~{3,}\s*)+/, '')
    .replace(/^\[([^\][]*)\]:\s*/, '$1: ')
    .replaceAll(']:', '] :')
}

/**
 * Quotes the author's explanation and adds counts. Null without an explanation, because counts alone are no background.
 */
function backgroundOf(pull: Pull, explanation: Explanation | null, files: ChangedFile[], words: Words): string | null {
  return explanation && `${quoted(explanation, words)}\n\n${factsOf(pull, files, words)}`
}

function quoted({ in: source, statements }: Explanation, words: Words): string {
  const introduction = words.explains[source]
  const [first, ...others] = firstBlocks(statements, MAX_QUOTATION)
  if (!first) return ''
  if (others.length === 0) return words.sentences([introduction, words.quote(first.text)])
  return [first, ...others].reduce((text, block, at, all) => {
    const continuesList = block.isItem && all[at - 1]?.isItem
    return `${text}${continuesList ? '\n' : '\n\n'}${block.isItem ? '- ' : ''}${words.quote(block.text)}`
  }, introduction)
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
