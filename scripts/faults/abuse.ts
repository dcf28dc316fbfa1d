import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Abuse, Answers } from './abuser.ts'
import { watchHealth } from './health.ts'
import { startLoad } from './load.ts'
import type { Row } from './table.ts'
import type { World } from './world.ts'

const PER_SECOND = 200
const QUIET_MILLISECONDS = 15_000
const SOCKETS = { idleSockets: 500, slowSockets: 100 }

/** Everything that people send who mean harm, again and again, and how others fare meanwhile. */
export async function abused(world: World): Promise<Row> {
  const { port = 0, url = '' } = world.nodes[0] ?? {}
  const abuse: Abuse = { port, token: world.users[0]?.token ?? '', ...SOCKETS }
  const before = await loaded(world, url, () => sleep(QUIET_MILLISECONDS))
  const health = watchHealth(world.nodes)
  let answers: Answers = {}
  const during = await loaded(world, url, async () => {
    const abuser = new Worker(new URL('./abuser.ts', import.meta.url), { workerData: abuse })
    ;[answers] = await once(abuser, 'message')
  })
  const { isAlive, isReady, seen } = await health.stop()
  const { report } = during
  const areRefused = Object.values(answers)
    .flat()
    .every((status) => status >= 400 && status < 500)
  const areOthersWell = report.lost + report.errors + Object.keys(report.statuses).length === 0
  const told = Object.entries(answers).map(([name, statuses]) => `${name} ${statuses.join('/')}`)
  return {
    fault: `abuse, ${SOCKETS.idleSockets} idle and ${SOCKETS.slowSockets} slow sockets`,
    load: `${PER_SECOND}/s`,
    report,
    seen: `${told.join(', ')}; others' p99 ${before.p99.toFixed(0)} ms, then ${during.p99.toFixed(0)} ms; ${seen}`,
    isGood:
      [areRefused, areOthersWell, isAlive, isReady].every(Boolean) &&
      during.p99 <= 2 * before.p99 &&
      world.exits.length === 0,
  }
}

async function loaded(world: World, url: string, work: () => Promise<unknown>) {
  const load = startLoad(world, PER_SECOND, url)
  await work()
  const report = await load.stop()
  const sorted = report.milliseconds.toSorted((one, other) => one - other)
  return { report, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}
