import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Ask, type Connection, openConnection } from './connection.ts'

export interface Side {
  name: string
  port: number
  process: ChildProcess
  /** What this one is asked, where that is not the same for all. */
  ask?: (n: number) => Ask
}

export interface Figures {
  requestsPerSecond: number
  cpuMicroseconds: number
  p50Milliseconds: number
  p99Milliseconds: number
}

export interface Trial {
  /** What is asked for the nth time in a round. */
  ask: (n: number) => Ask
  status: number
  requests: number
  rounds: number
  /** Rounds that do not count: code that has run often runs faster. */
  warmUps: number
  connections?: number
  /** Brings things back to where they were before a round. */
  restore?: () => Promise<void>
}

const CONNECTIONS = 16

export async function startSide(name: string, file: URL, env: NodeJS.ProcessEnv): Promise<Side> {
  const child = fork(file, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { name, port, process: child }
}

/**
 * Each side in turn, round after round, another one first each time, so that a noisy moment strikes all alike. The
 * figures of each side, round by round.
 */
export async function compare(sides: Side[], trial: Trial): Promise<Figures[][]> {
  const measured: Figures[][] = sides.map(() => [])
  for (let round = 0; round < trial.warmUps; round++) for (const side of sides) await measure(side, trial)
  for (let round = 0; round < trial.rounds; round++)
    for (const [i] of sides.entries()) {
      const turn = (i + round) % sides.length
      const side = sides[turn]
      if (side) measured[turn]?.push(await measure(side, trial))
    }
  return measured
}

async function measure(side: Side, { ask, status, requests, connections = CONNECTIONS, restore }: Trial) {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(side.port)))
  const latencies: number[] = []
  let next = 0
  const cpuBefore = await cpuOf(side)
  const started = performance.now()
  const work = async (connection: Connection) => {
    while (next < requests) {
      const asked = (side.ask ?? ask)(next++)
      const sent = performance.now()
      const received = await connection.send(asked)
      latencies.push(performance.now() - sent)
      if (received.status !== status)
        throw new Error(`${side.name} answered ${received.status} to ${asked.path}: ${received.body}`)
    }
  }
  await Promise.all(open.map(work))
  const seconds = (performance.now() - started) / 1000
  const cpu = (await cpuOf(side)) - cpuBefore
  for (const connection of open) connection.close()
  await restore?.()
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    requestsPerSecond: requests / seconds,
    cpuMicroseconds: cpu / requests,
    p50Milliseconds: at(0.5),
    p99Milliseconds: at(0.99),
  }
}

/** One answer's body. */
export async function bytesOf({ port }: Side, ask: Ask): Promise<Buffer> {
  const connection = await openConnection(port)
  const { body } = await connection.send(ask)
  connection.close()
  return body
}

async function cpuOf({ process: child }: Side): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
  return cpu.user + cpu.system
}

export function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
