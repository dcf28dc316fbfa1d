import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Deployment } from './deployment.ts'
import { watchHealth } from './health.ts'
import { startLoad } from './load.ts'
import type { Scenario } from './table.ts'

const RECOVERY_SECONDS = 5
/** How long to observe after a fault: longer than any wait for the database. */
const OBSERVE_MS = 12_000

interface FaultOptions {
  times?: number
  /** Whether the database is unreachable, so that every node must report not ready. */
  isDatabaseDown?: boolean
  /** Whether some requests must fail, as proof that the fault took effect. */
  mustCauseErrors?: boolean
}

/** Injects a fault under load and measures the time until recovery. */
function scenario(
  fault: string,
  inject: (deployment: Deployment) => Promise<unknown>,
  { times = 1, isDatabaseDown = false, mustCauseErrors = isDatabaseDown }: FaultOptions = {},
): Scenario {
  return async (start) => {
    const deployment = await start()
    const load = await startLoad(deployment)
    const watch = watchHealth(deployment.nodes)
    let recovery = 0
    for (let time = 0; time < times; time++) {
      await inject(deployment)
      const restoredAt = performance.now()
      await sleep(OBSERVE_MS)
      recovery = Math.max(recovery, (load.recoveredAt(restoredAt) - restoredAt) / 1000)
    }
    const health = await watch.stop()
    const report = await load.stop()
    const { crashes } = deployment
    const isGood =
      report.lost + crashes.length === 0 &&
      recovery <= RECOVERY_SECONDS &&
      Object.keys(report.statuses).every((status) => status === '503') &&
      (!mustCauseErrors || (report.statuses[503] ?? 0) > 0) &&
      health.isGood &&
      (!isDatabaseDown || health.wasEachUnready)
    return { fault, report, recovery, isGood, observations: [health.text, ...crashes] }
  }
}

/** Holds a lock in another transaction for a while. */
async function holdLock({ cluster }: Deployment, seconds: number, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  await sleep(seconds * 1000)
  await client.query('rollback')
  await client.end()
}

export const backendsTerminated = scenario(
  'all Postgres backends terminated, 5 times',
  ({ query }) =>
    query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    ),
  { times: 5 },
)

export const postgresKilled = scenario(
  'Postgres killed (-9) for 3 s, 3 times',
  async ({ cluster }) => {
    await cluster.kill9()
    await sleep(3000)
    await cluster.start()
  },
  { times: 3, isDatabaseDown: true },
)

export const poolHeld = scenario(
  'every connection held for 30 s (sessions table locked)',
  (deployment) => holdLock(deployment, 30, 'lock table sessions in access exclusive mode'),
  { mustCauseErrors: true },
)

export const rowLocked = scenario(
  'a user row locked for 60 s',
  (deployment) => holdLock(deployment, 60, 'select from users order by id limit 1 for update'),
  { mustCauseErrors: true },
)

export const linkCut = scenario(
  'network to Postgres cut for 5 s',
  async ({ link }) => {
    link.cut()
    await sleep(5000)
    link.restore()
  },
  { isDatabaseDown: true },
)

export const linkSilent = scenario(
  'connections to Postgres half open for 20 s',
  async ({ link }) => {
    link.silence()
    await sleep(20_000)
    link.restore()
  },
  { isDatabaseDown: true },
)

export const linkSlow = scenario('network to Postgres with 50 ms more latency for 10 s', async ({ link }) => {
  link.slow(50)
  await sleep(10_000)
  link.restore()
})
