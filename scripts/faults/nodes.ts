import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from './deployment.ts'
import { startLoad } from './load.ts'
import type { Scenario } from './table.ts'

const KILL_MS = 5000

/** Kills the nodes in turn and starts them again. Returns a function that ends this and returns the number of kills. */
export function startKilling({ nodes, startNode, stopNode }: Deployment, everyMs: number): () => Promise<number> {
  let isStopped = false
  const killing = (async () => {
    const started = performance.now()
    let [kills, last, lastButOne] = [0, Promise.resolve(), Promise.resolve()]
    while (!isStopped) {
      const index = kills % nodes.length
      // Waits for the start before the last one, so that one of three nodes keeps running even if starts are slow.
      await lastButOne
      await stopNode(index, 'SIGKILL')
      lastButOne = last
      last = startNode(index)
      kills += 1
      await sleep(Math.max(0, started + kills * everyMs - performance.now()))
    }
    await Promise.all([lastButOne, last])
    return kills
  })()
  return () => {
    isStopped = true
    return killing
  }
}

/** Kills a node every five seconds and starts it again. */
export const nodesKilled: Scenario = async (start, seconds = 120) => {
  const deployment = await start()
  const load = await startLoad(deployment)
  const stopKilling = startKilling(deployment, KILL_MS)
  await sleep(seconds * 1000)
  const kills = await stopKilling()
  const report = await load.stop()
  const isOften = kills >= (seconds * 1000) / KILL_MS
  const { crashes } = deployment
  const isGood = isOften && report.lost === 0 && report.errors / report.requests < 0.001 && crashes.length === 0
  const fault = `one of three nodes killed (-9) every 5 s for ${seconds} s`
  return { fault, report, isGood, observations: [`${kills} kills`, ...crashes] }
}

/** Restarts the nodes one after the other with SIGTERM. */
export const nodesRestarted: Scenario = async (start) => {
  const deployment = await start()
  const load = await startLoad(deployment)
  const retriesBefore = deployment.balancer.retries()
  for (const index of deployment.nodes.keys()) {
    await deployment.stopNode(index, 'SIGTERM')
    await deployment.startNode(index)
    await sleep(1000)
  }
  const report = await load.stop()
  const retries = deployment.balancer.retries() - retriesBefore
  const { crashes } = deployment
  const isUnnoticed = report.errors + retries + Object.keys(report.statuses).length === 0
  const isGood = report.lost === 0 && isUnnoticed && crashes.length === 0
  const observations = [`${retries} connections broken`, ...crashes]
  return { fault: 'three nodes restarted in turn (SIGTERM)', report, isGood, observations }
}
