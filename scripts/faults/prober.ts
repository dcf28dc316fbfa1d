import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface Probe {
  /** Each URL is requested repeatedly with this pause. */
  urls: string[]
  pauseMs: number
}

/** Response times in milliseconds, by URL. */
export type Times = Record<string, number[]>

/** Counts as the time of a failed request. */
const FAILED_MS = 60_000

/** Measures in a separate thread, which the fake code host and model do not slow down. */
if (!parentPort) throw new Error('This file must run as a worker thread.')
const { urls, pauseMs } = workerData as Probe
let times = noTimes()
// Every message requests the times since the last one.
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
