import {
  breakingNote,
  type ChangeType,
  declarationOf,
  declaredChangeType,
  subjectOf,
} from '../../writer/facts/conventional.ts'
import { endOfPath, kindByPath } from '../../writer/reading/kinds.ts'
import { type PlacedTexts, referencesOf } from '../pulls/references.ts'

/** From this score on, a change is notable. */
export const NOTABLE_SCORE = 40
const MAX_SCORE = 100

/** The facts about a merged pull request that need no model. */
export interface MergeFacts {
  title: string
  body: string | null
  labels: string[]
  number: number
  url: string
  fullName: string
  /** Comments and review comments. */
  comments: number
  files: { path: string; additions: number; deletions: number }[]
}

/** A rule that applies to a pull request, and the number that the rule's explanation mentions. */
export interface Factor {
  name: FactorName
  points: number
  count: number | null
}

export type FactorName = keyof typeof POINTS

const POINTS = {
  breaking: 40,
  security: 40,
  feature: 35,
  performance: 25,
  fix: 20,
  deprecation: 20,
  refactoring: -5,
  routine: -20,
  documentation: -20,
  closesIssue: 10,
  changelog: 35,
  discussion: 10,
  someDiscussion: 5,
  tests: 5,
  documented: 5,
  sourceLines: 0,
  onlyLockFiles: -50,
  onlyDocs: -20,
  onlyTests: -30,
  noSource: -30,
} as const

/** Points for changed lines of source code. The first entry whose number of lines is reached counts. */
const LINE_POINTS: [lines: number, points: number][] = [
  [500, 30],
  [100, 25],
  [30, 20],
  [10, 15],
  [5, 10],
  [1, 6],
]
const MANY_COMMENTS = 10
const SOME_COMMENTS = 3

const BY_TYPE: Partial<Record<ChangeType, FactorName>> = {
  FEAT: 'feature',
  FIX: 'fix',
  PERF: 'performance',
  DOCS: 'documentation',
  TEST: 'routine',
  REFACTOR: 'refactoring',
  BUILD: 'routine',
  CHORE: 'routine',
}

/** Rules by label. For each label, the first match counts; each rule counts once. */
const BY_LABEL: [FactorName, RegExp][] = [
  ['breaking', /\bbreaking\b|\bincompatible\b/i],
  ['security', /\bsecurity\b|\bvulnerabilit|\bcve\b/i],
  ['deprecation', /\bdeprecat/i],
  ['feature', /\bfeature\b|\benhancement\b/i],
  ['performance', /\bperf(ormance)?\b/i],
  ['fix', /\bbug\b|\bbugfix\b|\bregression\b/i],
  ['routine', /\b(dependenc(y|ies)|chore|internal|ci|infrastructure|skip[- ]changelog|no[- ]changelog|backport)\b/i],
]
/** The purposes of a change, of which at most one counts. */
const PURPOSES: FactorName[] = ['feature', 'performance', 'fix', 'refactoring', 'documentation', 'routine']
/** Recognizes changes of documentation and releases by titles that have no type prefix. */
const ABOUT_DOCUMENTATION =
  /\b(docs?|documentation|docstrings?|jsdoc|readme|typos?|grammar|grammatical|spelling|comments?)\b/i
const ABOUT_RELEASE = /^(release\b|version\b|v?\d+\.\d+|prepare\b.{0,40}\b(release|version)\b)/i
/** Folders whose code is not part of the product. */
const ASIDE = /(^|\/)(docs?|documentation|examples?|samples?|benchmarks?|website)\//i
const CHANGELOG =
  /(^|\/)(changelog|changes|history|news|release[-_]notes)[^/]*$|(^|\/)(newsfragments|changelog\.d|\.changeset)\//i
const MAX_TITLE_CHARACTERS = 1000
const MAX_BODY_CHARACTERS = 50_000

/** How notable a merged pull request is, from 0 to 100, and the rules that led to it. */
export function scoreOf(facts: MergeFacts): { score: number; factors: Factor[] } {
  const factors = [...purposeFactors(facts), ...fileFactors(facts.files), ...discussionFactors(facts)]
  const sum = factors.reduce((points, factor) => points + factor.points, 0)
  return { score: Math.min(Math.max(sum, 0), MAX_SCORE), factors }
}

function factor(name: FactorName, points: number = POINTS[name], count: number | null = null): Factor {
  return { name, points, count }
}

/** The rules that apply to the title, the description and the labels. */
function purposeFactors({ title: whole, body, labels }: MergeFacts): Factor[] {
  const title = whole.slice(0, MAX_TITLE_CHARACTERS)
  const names = new Set<FactorName>()
  const declared = declaredPurpose(title)
  if (declared) names.add(declared)
  for (const label of labels) {
    const name = BY_LABEL.find(([, pattern]) => pattern.test(label))?.[0]
    if (name) names.add(name)
  }
  if (subjectOf(title).isBreaking || breakingNote((body ?? '').slice(0, MAX_BODY_CHARACTERS)) !== null)
    names.add('breaking')
  const purpose = declared ?? PURPOSES.find((name) => names.has(name))
  return [...names].filter((name) => !PURPOSES.includes(name) || name === purpose).map((name) => factor(name))
}

function declaredPurpose(title: string): FactorName | undefined {
  const declaration = declarationOf(title, [])
  if (!declaration && ABOUT_DOCUMENTATION.test(title)) return 'documentation'
  if (!declaration && ABOUT_RELEASE.test(title)) return 'routine'
  const type = declaredChangeType(title, declaration)
  return type ? BY_TYPE[type] : undefined
}

function kindOf(path: string) {
  const kind = kindByPath(path)
  return kind === 'source' && ASIDE.test(endOfPath(path)) ? 'docs' : kind
}

function fileFactors(files: MergeFacts['files']): Factor[] {
  const kinds = files.map(({ path, additions, deletions }) => ({
    kind: kindOf(path),
    lines: additions + deletions,
  }))
  const has = (kind: (typeof kinds)[number]['kind']) => kinds.some((file) => file.kind === kind)
  const isAll = (kind: (typeof kinds)[number]['kind']) => kinds.every((file) => file.kind === kind)
  const lines = kinds.filter(({ kind }) => kind === 'source').reduce((sum, file) => sum + file.lines, 0)
  const changelog = files.some(({ path }) => CHANGELOG.test(endOfPath(path))) ? [factor('changelog')] : []
  if (lines === 0) {
    if (isAll('lockFile')) return [factor('onlyLockFiles')]
    if (isAll('docs')) return [factor('onlyDocs')]
    if (isAll('test')) return [factor('onlyTests')]
    return [factor('noSource'), ...changelog]
  }
  const points = LINE_POINTS.find(([least]) => lines >= least)?.[1] ?? 0
  return [
    factor('sourceLines', points, lines),
    ...(has('test') ? [factor('tests')] : []),
    ...(has('docs') && changelog.length === 0 ? [factor('documented')] : changelog),
  ]
}

function discussionFactors(facts: MergeFacts): Factor[] {
  const texts: PlacedTexts = {
    title: facts.title,
    body: facts.body?.slice(0, MAX_BODY_CHARACTERS) ?? null,
    commits: [],
    comments: [],
  }
  const closes = referencesOf(texts, facts).some((reference) => reference.closes)
  const rule =
    facts.comments >= MANY_COMMENTS ? 'discussion' : facts.comments >= SOME_COMMENTS ? 'someDiscussion' : undefined
  return [...(closes ? [factor('closesIssue')] : []), ...(rule ? [factor(rule, POINTS[rule], facts.comments)] : [])]
}
