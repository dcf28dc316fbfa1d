import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

type Process = World['nodes'][number]

/** With it a process opens its debugger, once told to, where nobody else listens. */
export const OPENABLE = { NODE_OPTIONS: '--inspect-port=0' }

const PAUSE_MS = 50
const COLLECT_TIMEOUT_MS = 30_000

/** Has a process collect its garbage whenever told to, by way of its debugger: what it still holds then, it keeps. */
export async function openCollector(node: Process) {
  node.signal('SIGUSR1')
  const debug = new WebSocket(await addressOf(node))
  const heard = (event: string) => once(debug, event, { signal: AbortSignal.timeout(COLLECT_TIMEOUT_MS) })
  await heard('open')
  return {
    async collect(): Promise<void> {
      debug.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
      await heard('message')
    },
    close: () => debug.close(),
  }
}

async function addressOf(node: Process): Promise<string> {
  const signal = AbortSignal.timeout(COLLECT_TIMEOUT_MS)
  for (;;) {
    const [, address] = /Debugger listening on (ws:\S+)\n/.exec(node.output()) ?? []
    if (address) return address
    await sleep(PAUSE_MS, undefined, { signal })
  }
}
