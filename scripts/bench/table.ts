import { type Figures, median } from './compare.ts'

const HEAD = ['what', 'server', 'requests/s', 'to bare', 'CPU µs/request', 'to bare', 'p50 ms', 'p99 ms']

export function printHead(): void {
  console.log(`| ${HEAD.join(' | ')} |`)
  console.log(`|---|---|${'---:|'.repeat(HEAD.length - 2)}`)
}

/**
 * Medians of all rounds. The last side is the bare one that the others are held against: round by round, for what slows
 * a machine down lasts longer than a round.
 */
export function printRows(what: string, sides: string[], measured: Figures[][]): void {
  const bare = measured.at(-1) ?? []
  for (const [i, name] of sides.entries()) {
    const rounds = measured[i] ?? []
    const medianOf = (figure: keyof Figures) => median(rounds.map((round) => round[figure]))
    const toBare = (figure: keyof Figures) =>
      median(rounds.map((round, n) => round[figure] / (bare[n]?.[figure] ?? Number.NaN)))
    const cells = [
      what,
      name,
      medianOf('requestsPerSecond').toFixed(0),
      toBare('requestsPerSecond').toFixed(2),
      medianOf('cpuMicroseconds').toFixed(0),
      toBare('cpuMicroseconds').toFixed(2),
      medianOf('p50Milliseconds').toFixed(2),
      medianOf('p99Milliseconds').toFixed(1),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
