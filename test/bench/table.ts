import type { Figures } from './compare.ts'

const HEAD = ['what', 'server', 'requests/s', 'to bare', 'CPU µs/request', 'to bare', 'p50 ms', 'p99 ms']

export function printHead(): void {
  console.log(`| ${HEAD.join(' | ')} |`)
  console.log(`|---|---|${'---:|'.repeat(HEAD.length - 2)}`)
}

/** The last one is the bare one that the others are held against. */
export function printRows(what: string, measured: Record<string, Figures>): void {
  const bare = Object.values(measured).at(-1)
  if (!bare) return
  for (const [server, figures] of Object.entries(measured)) {
    const cells = [
      what,
      server,
      figures.requestsPerSecond.toFixed(0),
      (figures.requestsPerSecond / bare.requestsPerSecond).toFixed(2),
      figures.cpuMicroseconds.toFixed(0),
      (figures.cpuMicroseconds / bare.cpuMicroseconds).toFixed(2),
      figures.p50Milliseconds.toFixed(2),
      figures.p99Milliseconds.toFixed(1),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
