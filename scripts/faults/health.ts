import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from './deployment.ts'

const INTERVAL_MS = 200
/** A common probe timeout of process supervisors. */
const PROBE_TIMEOUT_MS = 3000

/** Probes liveness and readiness of every node until stopped. */
export function watchHealth(nodes: Node[]) {
  let isStopped = false
  const watching = nodes.map(async ({ url }) => {
    const [alive, ready]: [number[], number[]] = [[], []]
    for (; !isStopped; await sleep(INTERVAL_MS)) {
      const [health, readiness] = await Promise.all([statusOf(`${url}/healthz`), statusOf(`${url}/readyz`)])
      alive.push(health)
      ready.push(readiness)
    }
    return { alive, ready, last: await statusOf(`${url}/readyz`) }
  })
  return {
    async stop() {
      isStopped = true
      const seen = await Promise.all(watching)
      const alive = seen.flatMap((node) => node.alive)
      const ready = seen.flatMap((node) => node.ready)
      return {
        /** `/healthz` succeeded throughout, `/readyz` answered throughout and succeeds at the end. */
        isGood:
          alive.every((status) => status === 200) &&
          ready.every((status) => status === 200 || status === 503) &&
          seen.every(({ last }) => last === 200),
        wasEachUnready: seen.every((node) => node.ready.includes(503)),
        text: `alive ${share(alive)}, ready ${share(ready)}`,
      }
    },
  }
}

async function statusOf(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

function share(statuses: number[]): string {
  const good = statuses.filter((status) => status === 200).length
  return `${Math.round((100 * good) / Math.max(1, statuses.length))} %`
}
