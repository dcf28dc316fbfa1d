import { median } from '../bench/compare.ts'
import type { Ask } from '../bench/connection.ts'
import { onSeparateCores } from './apart.ts'
import { watchHealth } from './health.ts'
import { type Answer, closedLoop, createPool, type Figures, openLoop, type Pool, percentile } from './loops.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

/** Many rounds, each between two peak measurements, because the speed of the machine varies. */
const ROUNDS = 25
const MEASURE_MS = 3000
/** The same length before and after, so that occasional noise affects both. */
const QUIET_MS = 12_000
/** Response times must be back to normal by then. */
const RECOVERY_SECONDS = 10

interface Round {
  /** The mean of the peaks before and after. */
  peak: number
  over: Figures
  times: number
}

/** Sends twice the peak rate of a node without waiting for responses, then half the peak rate. */
export async function overloaded(world: World): Promise<Row> {
  const node = await world.startAside()
  return onSeparateCores(() => measured(world, node)).finally(() => node.kill('SIGTERM'))
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
    const times = over.sent / ((MEASURE_MS / 1000) * last)
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
  const withoutRetryAfter = sum(rounds.map(({ over }) => over.withoutRetryAfter))
  const failed = sum(rounds.map(({ over }) => over.failed)) + after.failed
  const usual = Math.max(...secondsOf(before).map(({ p99 }) => p99))
  const recovery = secondsUntilUsual(after, Math.max(2 * usual, 50))
  return {
    fault: 'twice the peak rate of one node',
    load: `${Math.round(2 * peak)}/s`,
    recovery,
    seen: [
      `peak ${Math.round(peak)}/s, sent ${times.toFixed(2)} times that in ${ROUNDS} rounds`,
      `answered ${percent(share)} of the peak (${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}), p99 ${answer.toFixed(0)} ms`,
      `refused ${sum(rounds.map(({ over }) => over.refused.length))}, p99 ${median(refusals).toFixed(0)} ms (${Math.min(...refusals).toFixed(0)} to ${Math.max(...refusals).toFixed(0)}), ${withoutRetryAfter} without Retry-After`,
      `${failed} other failures`,
      `p99 per second at half the peak: max ${usual.toFixed(0)} ms before, overall ${percentile(after.good, 0.99).toFixed(0)} ms afterwards`,
      seen,
    ].join('; '),
    isGood:
      times >= 1.9 &&
      share >= 0.8 &&
      rounds.some(({ over }) => over.refused.length > 0) &&
      withoutRetryAfter + failed === 0 &&
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

/** Refusals and p99 of each second at half the peak. */
function secondsOf({ good, refused }: Figures) {
  const within = (answers: Answer[], second: number) => answers.filter(({ at }) => Math.floor(at / 1000) === second)
  return Array.from({ length: QUIET_MS / 1000 }, (_, second) => ({
    refusals: within(refused, second).length,
    p99: percentile(within(good, second), 0.99),
  }))
}

/** The end of the last second with refusals or slow responses. */
function secondsUntilUsual(figures: Figures, maxMs: number): number {
  const isBad = ({ refusals, p99 }: { refusals: number; p99: number }) => refusals > 0 || p99 > maxMs
  return secondsOf(figures).findLastIndex(isBad) + 1
}
