import { type Figures, median } from './compare.ts'

const HEAD = ['operation', 'server', 'requests/s', 'vs bare', 'CPU µs/request', 'vs bare', 'p50 ms', 'p99 ms']

export function printHead(): void {
  console.log(`| ${HEAD.join(' | ')} |`)
  console.log(`|---|---|${'---:|'.repeat(HEAD.length - 2)}`)
}

/**
 * Prints medians of all rounds. The last side is the bare server; ratios are taken per round, because slowdowns of the
 * machine last longer than a round.
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
