import { median } from '../bench/compare.ts'
import type { Ask } from '../bench/connection.ts'
import { apart } from './apart.ts'
import { watchHealth } from './health.ts'
import { type Answer, closedLoop, createPool, type Figures, openLoop, type Pool, percentile } from './loops.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

/** Each between two peaks, and many of them: the machine has faster and slower moments. */
const ROUNDS = 25
const MEASURE_MS = 3000
/** Before and afterwards alike: what the machine does now and then must have its chance in both. */
const QUIET_MS = 12_000
/** It must be as before by then. */
const RECOVERY_SECONDS = 10

interface Round {
  /** The mean of before and after. */
  peak: number
  over: Figures
  times: number
}

/** Twice as much as a node can do, asked for without waiting for answers, and then only half of what it can do. */
export async function overloaded(world: World): Promise<Row> {
  const node = await world.startAside()
  return apart(() => measured(world, node)).finally(() => node.kill('SIGTERM'))
}

async function measured(world: World, node: Awaited<ReturnType<World['startAside']>>): Promise<Row> {
  const pool = createPool(node.port)
  const ask = () => {
    const text = world.texts[Math.floor(Math.random() * world.texts.length)]
    const user = world.users[Math.floor(Math.random() * world.users.length)]
    return { path: `/articles/${text?.articleId}`, token: user?.token }
  }
  await closedLoop(pool, ask, 2000)
  const health = watchHealth([node])
  let last = await peakOf(pool, ask)
  const before = await openLoop(pool, ask, last / 2, QUIET_MS)
  const rounds: Round[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const over = await openLoop(pool, ask, 2 * last, MEASURE_MS)
    const times = over.asked / ((MEASURE_MS / 1000) * last)
    const next = await peakOf(pool, ask)
    rounds.push({ peak: (last + next) / 2, over, times })
    last = next
  }
  const peak = median(rounds.map((round) => round.peak))
  const after = await openLoop(pool, ask, peak / 2, QUIET_MS)
  pool.close()
  const { isAlive, isReady, seen } = await health.stop()
  const times = median(rounds.map((round) => round.times))
  const shares = rounds.map(({ peak, over }) => over.perSecond / peak)
  const share = sum(rounds.map(({ over }) => over.perSecond)) / sum(rounds.map((round) => round.peak))
  const refusals = rounds.map(({ over }) => percentile(over.refused, 0.99))
  const answer = median(rounds.map(({ over }) => percentile(over.good, 0.99)))
  const mute = sum(rounds.map(({ over }) => over.mute))
  const failed = sum(rounds.map(({ over }) => over.failed)) + after.failed
  const usual = Math.max(...secondsOf(before).map(({ p99 }) => p99))
  const recovery = secondsUntilUsual(after, Math.max(2 * usual, 50))
  return {
    fault: 'twice as much as one node can do',
    load: `${Math.round(2 * peak)}/s`,
    recovery,
    seen: [
      `peak ${Math.round(peak)}/s, asked for ${times.toFixed(2)} times that in ${ROUNDS} rounds`,
      `answered ${percent(share)} of the peak (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}), p99 ${answer.toFixed(0)} ms`,
      `refused ${sum(rounds.map(({ over }) => over.refused.length))}, p99 ${median(refusals).toFixed(0)} ms (${Math.min(...refusals).toFixed(0)} to ${Math.max(...refusals).toFixed(0)}), ${mute} without Retry-After`,
      `${failed} failed otherwise`,
      `p99 of a second at half the peak at most ${usual.toFixed(0)} ms, afterwards ${percentile(after.good, 0.99).toFixed(0)} ms`,
      seen,
    ].join('; '),
    isGood:
      times >= 1.9 &&
      share >= 0.8 &&
      rounds.some(({ over }) => over.refused.length > 0) &&
      mute + failed === 0 &&
      median(refusals) <= 50 &&
      recovery <= RECOVERY_SECONDS &&
      isAlive &&
      isReady,
  }
}

async function peakOf(pool: Pool, ask: () => Ask): Promise<number> {
  return (await closedLoop(pool, ask, MEASURE_MS)).perSecond
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}

/** How it was in each second at half the peak. */
function secondsOf({ good, refused }: Figures) {
  const within = (answers: Answer[], second: number) => answers.filter(({ at }) => Math.floor(at / 1000) === second)
  return Array.from({ length: QUIET_MS / 1000 }, (_, second) => ({
    refusals: within(refused, second).length,
    p99: percentile(within(good, second), 0.99),
  }))
}

/** When the last second was over in which answers took longer than they usually do, or were refusals. */
function secondsUntilUsual(figures: Figures, most: number): number {
  const isBad = ({ refusals, p99 }: { refusals: number; p99: number }) => refusals > 0 || p99 > most
  return secondsOf(figures).findLastIndex(isBad) + 1
}
