import type { DraftImpact, DraftPoint } from '../draft.ts'
import type { CommitType, Declaration } from '../facts/conventional.ts'
import type { ChangedFile } from '../reading/changedFiles.ts'
import { citationsOf } from './citations.ts'
import { declaresDependencies, isWorkflow, purposeOf } from './paths.ts'
import type { AuthorStatements } from './points.ts'
import type { KindWithoutEffect } from './summaryWords.ts'
import { cleanLine, code, cut, pathCode } from './text.ts'
import type { Words } from './words.ts'

type Compatibility = DraftImpact['compatibility']

/** Compatibility by the change type that the author declares. The other types say nothing about compatibility. */
const BY_TYPE: Partial<Record<CommitType, Compatibility>> = { feat: 'addition', fix: 'behavior', perf: 'behavior' }
const WITHOUT_EFFECT: CommitType[] = ['docs', 'test', 'chore', 'ci', 'build', 'style', 'refactor']
const MAX_SCOPE = 60
const MAX_SINCE = 100

interface Known {
  statements: AuthorStatements
  declaration: Declaration | null
  /** The scope in the title, such as `router` in `fix(router): …`; null without one. */
  scope: string | null
  points: DraftPoint[]
  /** The release or milestone of the pull request. */
  since: string | null
}

/**
 * The impact, if the author declares it or the kinds of the files show it; otherwise null, because it would be a guess.
 */
export function impactOf(
  files: ChangedFile[],
  important: ChangedFile[],
  known: Known,
  words: Words,
): DraftImpact | null {
  const [first] = important
  if (!first) return null
  const { statements, declaration, since } = known
  const shared = {
    action: null,
    since: since === null ? null : cut(cleanLine(since), MAX_SINCE),
    evidence: citationsOf(first, 1),
  }
  const users = affectedUsers(important, known, words)
  if (statements.isBreaking) {
    const action = statements.breakingNote ?? words.impact.readFirst
    return { ...shared, affected: users, compatibility: 'breaking', reason: words.impact.breaking, action }
  }
  const kinds = kindsWithoutEffect(files, known)
  if (kinds) return { ...shared, ...words.impact.none(kinds, declaration), compatibility: 'none' }
  const compatibility = declaration && BY_TYPE[declaration.type]
  if (!compatibility) return null
  return { ...shared, affected: users, compatibility, reason: words.impact.declared(declaration) }
}

function affectedUsers(important: ChangedFile[], { scope }: Known, words: Words): string {
  const shownScope = code(scope ?? '', MAX_SCOPE)
  if (shownScope !== '') return words.impact.usersOfScope(shownScope)
  const [first, ...others] = important.filter((file) => purposeOf(file) === purposeOf(important[0] as ChangedFile))
  return words.impact.usersOfFiles(pathCode(first?.name ?? ''), others.length)
}

/**
 * The kinds of the changed files if none of these files is used when the project runs; otherwise null. Configuration
 * counts as unused only if the author declares a change without effect, and never if it lists dependencies. A declared
 * feature always has an effect: the project may offer test helpers to its users.
 */
function kindsWithoutEffect(
  files: ChangedFile[],
  { statements, declaration, points }: Known,
): KindWithoutEffect[] | null {
  if (declaration?.type === 'feat' || declaration?.type === 'perf') return null
  const isCaution = ({ categories }: DraftPoint) => categories.includes('RISK') || categories.includes('SECURITY')
  if (statements.filesLeftOut > 0 || points.some(isCaution)) return null
  const isDeclared = declaration !== null && WITHOUT_EFFECT.includes(declaration.type)
  const isWithoutEffect = (file: ChangedFile) => {
    if (['test', 'snapshot', 'docs'].includes(file.kind) || isWorkflow(file.path)) return true
    return isDeclared && file.kind === 'configuration' && !declaresDependencies(file.path)
  }
  if (!files.every(isWithoutEffect)) return null
  return [...new Set(files.map(({ kind, path }) => (isWorkflow(path) ? 'workflow' : kind)))]
}
