import type { components } from '../../../generated/api.ts'

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

/** Change types by the first word of a title that does not follow the convention. */
const FIRST_WORDS: [ChangeType, RegExp][] = [
  ['FIX', /^fix(es|ed|ing)?\b/i],
  ['FEAT', /^(add(s|ed|ing)?|implement(s|ed|ing)?|introduc(e|es|ed|ing))\b/i],
  ['REFACTOR', /^(refactor(s|ed|ing)?|clean ?up|simplif(y|ies|ied))\b/i],
  ['BUILD', /^(bump(s|ed)?|upgrade[sd]?)\b/i],
  ['CHORE', /^revert(s|ed)?\b/i],
]

const CONVENTIONAL = /^([a-z]+)(?:\(([^()]{1,60})\))?(!)?:\s*(\S.*)$/i
const BREAKING_FOOTER = /^BREAKING[ -]CHANGE:[ \t]*(.*)/m

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

/** The type that the author declares: by the title, else by the commits if they agree. */
export function declaredType(title: string, subjects: ConventionalTitle[]): ChangeType | null {
  const { type, text } = subjectOf(title)
  if (type) return CHANGE_TYPES[type]
  const byWord = FIRST_WORDS.find(([, pattern]) => pattern.test(text))?.[0]
  if (byWord) return byWord
  const types = new Set(subjects.flatMap((subject) => (subject.type ? [CHANGE_TYPES[subject.type]] : [])))
  const [only = null] = types
  return types.size === 1 ? only : null
}

/** The text after `BREAKING CHANGE:` at the start of a line; null if there is no such line. */
export function breakingNote(message: string): string | null {
  return BREAKING_FOOTER.exec(message)?.[1]?.trim() ?? null
}
