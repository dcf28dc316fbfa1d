import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface Probe {
  /** Each is asked again and again, with the pause between. */
  urls: string[]
  pauseMs: number
}

/** How many milliseconds each answer took, by address. */
export type Times = Record<string, number[]>

/** An answer other than 200, or none, counts as this. */
const FAILED_MS = 60_000

/** Measures from a thread of its own, which the stand-ins for code host and model do not hold up. */
if (!parentPort) throw new Error('This is a thread of another program.')
const { urls, pauseMs } = workerData as Probe
let times = noTimes()
// Every message asks for what was measured since the last.
parentPort.on('message', () => {
  parentPort?.postMessage(times)
  times = noTimes()
})
for (const url of urls) void probe(url)

function noTimes(): Times {
  return Object.fromEntries(urls.map((url) => [url, []]))
}

async function probe(url: string): Promise<void> {
  for (;;) {
    const took = await millisecondsOf(url)
    times[url]?.push(took)
    await sleep(pauseMs)
  }
}

async function millisecondsOf(url: string): Promise<number> {
  const started = performance.now()
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FAILED_MS) })
    await answer.arrayBuffer()
    return answer.ok ? performance.now() - started : FAILED_MS
  } catch {
    return FAILED_MS
  }
}
