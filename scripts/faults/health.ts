import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

const EVERY_MS = 200
/** A common probe timeout of process supervisors. */
const PROBE_TIMEOUT_MS = 3000

/** Probes liveness and readiness of every node until stopped. */
export function watchHealth(nodes: Pick<World['nodes'][number], 'url'>[]) {
  const stopping = new AbortController()
  const watching = nodes.map(async ({ url }) => {
    const alive: number[] = []
    const ready: number[] = []
    while (!stopping.signal.aborted) {
      const [health, readiness] = await Promise.all([statusOf(`${url}/healthz`), statusOf(`${url}/readyz`)])
      alive.push(health)
      ready.push(readiness)
      await sleep(EVERY_MS)
    }
    return { alive, ready, last: await statusOf(`${url}/readyz`) }
  })
  return {
    async stop() {
      stopping.abort()
      const seen = await Promise.all(watching)
      const alive = seen.flatMap((node) => node.alive)
      const ready = seen.flatMap((node) => node.ready)
      return {
        isAlive: alive.every((status) => status === 200),
        isReady: seen.every(({ last }) => last === 200),
        isAnswered: ready.every((status) => status === 200 || status === 503),
        wasEachUnready: seen.every((node) => node.ready.includes(503)),
        seen: `alive ${share(alive)}, ready ${share(ready)}`,
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

function share(answers: number[]): string {
  const good = answers.filter((status) => status === 200).length
  return `${Math.round((100 * good) / Math.max(1, answers.length))} %`
}
