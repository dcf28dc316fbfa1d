import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'
import { type Check, runScenarios, type Suite } from './support/conformance.ts'
import { NOT_APPLICABLE } from './support/notApplicable.ts'

interface Figures {
  passed: string[]
  /** Scenarios in which some checks do not apply. */
  partly: string[]
  skippedBySuite: string[]
  notApplicable: number
}

const RUNS: ({ suite: Suite; revision: string } & Figures)[] = [
  {
    suite: 'conformance',
    revision: '2025-11-25',
    passed: ['dns-rebinding-protection', 'ping', 'prompts-list', 'server-initialize', 'tools-list'],
    partly: [],
    skippedBySuite: [],
    notApplicable: 27,
  },
  {
    suite: 'conformance-next',
    revision: '2025-06-18',
    passed: ['ping', 'prompts-list', 'server-initialize', 'tools-list'],
    partly: [],
    skippedBySuite: ['server-session-lifecycle'],
    notApplicable: 22,
  },
  {
    suite: 'conformance-next',
    revision: '2025-11-25',
    passed: ['dns-rebinding-protection', 'ping', 'prompts-list', 'server-initialize', 'tools-list'],
    partly: [],
    skippedBySuite: ['server-session-lifecycle'],
    notApplicable: 27,
  },
  {
    suite: 'conformance-next',
    revision: '2026-07-28',
    passed: [
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'prompts-list',
      'server-sse-multiple-streams',
      'tools-list',
    ],
    partly: ['caching', 'sep-2164-resource-not-found', 'server-stateless'],
    skippedBySuite: [],
    notApplicable: 30,
  },
]

/** Checks that all messages fit the schema. Every scenario has it, so a scenario must also pass another check. */
const GENERAL_CHECK = 'wire-schema-valid'

const service = await startService()
afterAll(() => service.close())
const runs: { suite: Suite; revision: string; checks: Check[]; figures: Figures }[] = []
for (const { suite, revision, ...figures } of RUNS)
  runs.push({ suite, revision, figures, checks: await runScenarios(suite, revision, `${service.url}/mcp`) })

const excused = new Set(Object.values(NOT_APPLICABLE).flat())
const isMissed = ({ status }: Check) => status === 'FAILURE' || status === 'WARNING'
const isPassed = ({ status, id }: Check) => status === 'SUCCESS' && id !== GENERAL_CHECK

function figuresOf(checks: Check[]): Figures {
  const figures: Figures = { passed: [], partly: [], skippedBySuite: [], notApplicable: 0 }
  for (const [scenario, own] of Map.groupBy(checks, (check) => check.scenario)) {
    const [isAnyMissed, isAnyPassed] = [own.some(isMissed), own.some(isPassed)]
    if (!isAnyMissed) figures[isAnyPassed ? 'passed' : 'skippedBySuite'].push(scenario)
    else if (isAnyPassed) figures.partly.push(scenario)
    else figures.notApplicable += 1
  }
  return figures
}

describe.each(runs)('the official suite, $suite with $revision', ({ checks, figures }) => {
  test('passes every check that applies', () => {
    const failed = checks.filter((check) => isMissed(check) && !excused.has(check.id))
    expect(failed).toEqual([])
  })

  test('passes and skips the expected scenarios', () => {
    expect(figuresOf(checks)).toEqual(figures)
  })
})

test('the suite runs every check that is listed as not applicable, and none of them passes', () => {
  const all = runs.flatMap(({ checks }) => checks)
  const missed = new Set(all.filter(isMissed).map(({ id }) => id))
  const passed = new Set(all.filter(isPassed).map(({ id }) => id))
  expect([...excused].filter((id) => !missed.has(id) || passed.has(id))).toEqual([])
})
