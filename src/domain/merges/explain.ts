import type { MergeReason } from '../../db/schema/mergeTables.ts'
import { type Factor, type FactorName, NOTABLE_SCORE } from './score.ts'

const FACTORS: Record<FactorName, string | ((count: number) => string)> = {
  breaking: 'an incompatible change',
  security: 'a change for security',
  feature: 'a new feature',
  performance: 'an improvement of performance',
  fix: 'a fix',
  deprecation: 'a deprecation',
  refactoring: 'a refactoring',
  routine: 'routine work',
  documentation: 'a change of documentation',
  closesIssue: 'closes an issue',
  changelog: 'an entry in the change log',
  discussion: (count) => `${count} comments`,
  someDiscussion: (count) => `${count} comments`,
  tests: 'changes of tests',
  documented: 'changes of documents',
  sourceLines: (count) => `${count} changed ${count === 1 ? 'line' : 'lines'} of source code`,
  onlyLockFiles: 'changes of lock files only',
  onlyDocs: 'changes of documents only',
  onlyTests: 'changes of tests only',
  noSource: 'no changes of source code',
}

/** Why no article was written, for the API and for pages in English. */
export const REASONS: Record<MergeReason, (leastScore: number) => string> = {
  earlier: () => 'It was merged before automatic checks began.',
  bot: () => 'A bot opened it, and no follower wants articles about those.',
  low_score: (least) => `Its score is too low: articles are written from ${least} on.`,
  not_wanted: () => 'No follower wants automatic articles any more.',
  budget_spent: () => 'It waited for a day, and changes with higher scores used up the budget.',
  gone: () => 'The pull request or its repository is no longer public.',
  hidden: () => 'The operator of this service had hidden it when its turn came.',
}

/** What a merged pull request waits for, for the API and for pages in English. */
export const WAITING = {
  unscored: 'It will be scored next.',
  queued: 'An article will be written when its turn comes.',
  waiting: 'The budget of the day is used up. It waits for the next one, at most a day.',
}

export function factorText({ name, count }: Factor): string {
  // A newer version of the service may have stored a rule that this one does not know.
  const text = Object.hasOwn(FACTORS, name) ? FACTORS[name] : name
  return typeof text === 'string' ? text : text(count ?? 0)
}

interface Decision {
  status: 'queued' | 'waiting' | 'written' | 'skipped' | 'failed'
  reason: MergeReason | null
  score: number | null
  factors: Factor[]
  hasNextTry: boolean
}

/** A decision in words. */
export function explanationOf(decision: Decision): string {
  return [outcomeOf(decision), scoreText(decision)].filter(Boolean).join(' ')
}

function outcomeOf({ status, reason, score, hasNextTry }: Decision): string {
  if (status === 'skipped' && reason) return REASONS[reason](NOTABLE_SCORE)
  if (status === 'written') return 'An article was written.'
  if (status === 'waiting') return WAITING.waiting
  if (status === 'failed') return hasNextTry ? 'Writing failed, and will be tried again.' : 'Writing failed.'
  return score === null ? WAITING.unscored : WAITING.queued
}

function scoreText({ score, factors }: Decision): string {
  if (score === null) return ''
  const list = factors.map((factor) => `${factorText(factor)} (${signed(factor.points)})`).join(', ')
  return `Score ${score}${list && `: ${list}`}.`
}

function signed(points: number): string {
  return points < 0 ? `−${-points}` : `+${points}`
}
