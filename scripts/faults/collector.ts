import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

type Process = World['nodes'][number]

/** Lets a process open its debugger on a random port after SIGUSR1. */
export const OPENABLE = { NODE_OPTIONS: '--inspect-port=0' }

const PAUSE_MS = 50
const COLLECT_TIMEOUT_MS = 30_000

/** Triggers garbage collection through the debugger, so that memory measurements show only live objects. */
export async function openCollector(node: Process) {
  node.signal('SIGUSR1')
  const debug = new WebSocket(await addressOf(node))
  const waitFor = (event: string) => once(debug, event, { signal: AbortSignal.timeout(COLLECT_TIMEOUT_MS) })
  await waitFor('open')
  return {
    async collect(): Promise<void> {
      debug.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
      await waitFor('message')
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
