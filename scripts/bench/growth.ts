import { fill } from '../seed/fill.ts'
import { createProgress } from '../seed/progress.ts'
import type { Bench } from './bench.ts'
import { compare, median, type Side } from './compare.ts'

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000]
const PERIODS = ['all', 'monthly', 'weekly', 'daily']
const REQUESTS = 2000
const ROUNDS = 7

/** Measures the ranking as likes grow a thousandfold. One reader at a time, so that no request waits for another. */
export async function benchGrowth({ db, start }: Bench): Promise<void> {
  let side: Side | undefined
  const medians: Record<string, number[]> = Object.fromEntries(PERIODS.map((period) => [period, []]))
  for (const likes of SIZES) {
    const { tokens } = await fill(db, { likes, sessions: 1 }, createProgress())
    side ??= await start('pullpress', 'ourServer')
    for (const period of PERIODS) {
      const [figures] = await compare([side], {
        ask: () => ({ path: `/ranking/articles/likes?period=${period}`, token: tokens[0] }),
        ...{ status: 200, requests: REQUESTS, rounds: ROUNDS, warmUps: 2, connections: 1 },
      })
      medians[period]?.push(median(figures?.map((round) => round.p50Milliseconds) ?? []))
    }
  }
  console.log('\nRanking as likes grow, one reader at a time: p50 in ms, and the ratio of largest to smallest.\n')
  console.log(`| period | ${SIZES.map((likes) => likes.toLocaleString('en')).join(' | ')} | ratio |`)
  console.log(`|---|${'---:|'.repeat(SIZES.length + 1)}`)
  for (const [period, p50s] of Object.entries(medians)) {
    const ratio = (p50s.at(-1) ?? 0) / (p50s[0] ?? 1)
    console.log(`| ${period} | ${p50s.map((p50) => p50.toFixed(3)).join(' | ')} | ${ratio.toFixed(2)} |`)
  }
}
