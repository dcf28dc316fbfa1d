import type { Finding, State } from './finding.ts'

const MARKS: Record<State, string> = { ok: 'ok', advice: 'note', broken: 'FAILED' }

/** Formats findings for a terminal: a line for each, with its remedy below, and the number of problems at the end. */
export function table(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length))
  const rows = findings.flatMap(({ part, state, found, remedy }) => [
    `${part.padEnd(width)}  ${MARKS[state].padEnd(6)}  ${found}`,
    ...(remedy ? [`${' '.repeat(width + 10)}→ ${remedy}`] : []),
  ])
  const broken = findings.filter(({ state }) => state === 'broken').length
  return [...rows, '', broken === 0 ? 'The service can start.' : `${broken} to correct.`].join('\n')
}
