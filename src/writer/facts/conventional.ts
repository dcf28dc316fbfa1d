import type { components } from '../../../generated/api.ts'
import { cutOut } from '../../lib/cutOut.ts'

export type ChangeType = components['schemas']['ChangeTypeEnum']

const CHANGE_TYPES = {
  feat: 'FEAT',
  fix: 'FIX',
  docs: 'DOCS',
  test: 'TEST',
  perf: 'PERF',
  refactor: 'REFACTOR',
  build: 'BUILD',
  ci: 'BUILD',
  chore: 'CHORE',
  style: 'CHORE',
  revert: 'CHORE',
} satisfies Record<string, ChangeType>

export type CommitType = keyof typeof CHANGE_TYPES

const ALIASES: Record<string, CommitType> = {
  feature: 'feat',
  bugfix: 'fix',
  hotfix: 'fix',
  doc: 'docs',
  tests: 'test',
  deps: 'build',
}

/** The change type in the title, or else the type in the commit messages if all types in them are the same. */
export interface Declaration {
  type: CommitType
  by: 'title' | 'commits'
}

/** Change types by the first word of a title that does not follow the convention. */
const FIRST_WORDS: [ChangeType, RegExp][] = [
  ['FIX', /^fix(es|ed|ing)?\b/i],
  ['FEAT', /^(add(s|ed|ing)?|implement(s|ed|ing)?|introduc(e|es|ed|ing))\b/i],
  ['REFACTOR', /^(refactor(s|ed|ing)?|clean ?up|simplif(y|ies|ied))\b/i],
  ['BUILD', /^(bump(s|ed)?|upgrade[sd]?)\b/i],
  ['CHORE', /^revert(s|ed)?\b/i],
]

const CONVENTIONAL = /^([a-z]+)(?:\(([^()]{1,60})\))?(!)?:\s*(\S.*)$/i
const NOTHING =
  /^[-*_\s]*(?:no|none|nothing|no breaking changes?|n\/a|(?:特に|破壊的変更は)?(?:なし|ありません))[.!。*_\s]*$/i
/** A footer that describes a breaking change. It ends before a blank line, a heading or another footer. */
const BREAKING_FOOTER = /^BREAKING[ -]CHANGE:[ \t]*(.*(?:\n(?![ \t]*$|#+ |(?:BREAKING )?[\w-]+(?:: | #)).*)*)/m

/** A title or the first line of a commit message, such as `fix(router): match the empty path`. */
export interface ConventionalTitle {
  type: CommitType | null
  scope: string | null
  isBreaking: boolean
  text: string
}

export function subjectOf(line: string): ConventionalTitle {
  const text = line.trim()
  const [, word = '', scope = null, mark, rest = ''] = CONVENTIONAL.exec(text) ?? []
  const type = commitTypeOf(word.toLowerCase())
  return type
    ? { type, scope, isBreaking: mark === '!', text: rest }
    : { type: null, scope: null, isBreaking: false, text }
}

function commitTypeOf(word: string): CommitType | null {
  if (Object.hasOwn(CHANGE_TYPES, word)) return word as CommitType
  return Object.hasOwn(ALIASES, word) ? (ALIASES[word] ?? null) : null
}

export function declarationOf(title: string, subjects: ConventionalTitle[]): Declaration | null {
  const { type } = subjectOf(title)
  if (type) return { type, by: 'title' }
  const types = new Set(subjects.map((subject) => subject.type).filter((declared) => declared !== null))
  const [only] = types
  return only && types.size === 1 ? { type: only, by: 'commits' } : null
}

/** The declared change type; without a declaration, the type that the first word of the title suggests. */
export function declaredChangeType(title: string, declaration: Declaration | null): ChangeType | null {
  if (declaration) return CHANGE_TYPES[declaration.type]
  return FIRST_WORDS.find(([, pattern]) => pattern.test(title.trim()))?.[0] ?? null
}

/** The note after `BREAKING CHANGE:` at the start of a line; null if there is none, or if it says that nothing breaks. */
export function breakingNote(message: string): string | null {
  // Ignore HTML comments, because templates explain the `BREAKING CHANGE:` line in one.
  const { kept } = cutOut(message.replaceAll('\r\n', '\n'), '<!--', '-->')
  const note = BREAKING_FOOTER.exec(kept)?.[1]?.trim() ?? null
  return note !== null && NOTHING.test(note) ? null : note
}
