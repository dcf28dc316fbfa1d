import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Ask, type Connection, openConnection } from './connection.ts'

export interface Side {
  name: string
  port: number
  process: ChildProcess
  /** Overrides the request of the trial for this server. */
  ask?: (n: number) => Ask
}

export interface Figures {
  requestsPerSecond: number
  cpuMicroseconds: number
  p50Milliseconds: number
  p99Milliseconds: number
}

export interface Trial {
  /** The nth request of a round. */
  ask: (n: number) => Ask
  status: number
  requests: number
  rounds: number
  /** Rounds that do not count, because code gets faster while it warms up. */
  warmUps: number
  connections?: number
  /** Resets the data after each round. */
  restore?: () => Promise<void>
}

const CONNECTIONS = 16

export async function startSide(name: string, file: URL, env: NodeJS.ProcessEnv): Promise<Side> {
  const child = fork(file, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { name, port, process: child }
}

/**
 * Measures all sides in rotating order, so that noise affects them equally. Returns the figures of each side by round.
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
      const request = (side.ask ?? ask)(next++)
      const sent = performance.now()
      const received = await connection.send(request)
      latencies.push(performance.now() - sent)
      if (received.status !== status)
        throw new Error(`${side.name} returned ${received.status} for ${request.path}: ${received.body}`)
    }
  }
  await Promise.all(open.map(work))
  const seconds = (performance.now() - started) / 1000
  const cpu = (await cpuOf(side)) - cpuBefore
  for (const connection of open) connection.close()
  await restore?.()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    requestsPerSecond: requests / seconds,
    cpuMicroseconds: cpu / requests,
    p50Milliseconds: at(0.5),
    p99Milliseconds: at(0.99),
  }
}

/** The body of one response. */
export async function bytesOf({ port }: Side, ask: Ask): Promise<Buffer> {
  const connection = await openConnection(port)
  const { body } = await connection.send(ask)
  connection.close()
  return body
}

export async function cpuOf({ process: child }: Side): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
  return cpu.user + cpu.system
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
