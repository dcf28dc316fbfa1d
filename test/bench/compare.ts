import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'

export interface Side {
  name: string
  port: number
  process: ChildProcess
}

export interface Ask {
  path: string
  headers?: Record<string, string>
}

export interface Figures {
  requestsPerSecond: number
  cpuMicroseconds: number
  p99Milliseconds: number
}

const CONNECTIONS = 16

export async function startSide(name: string, file: URL, env: NodeJS.ProcessEnv): Promise<Side> {
  const child = fork(file, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { name, port, process: child }
}

/** Each side in turn, round after round, so that a noisy moment strikes all alike; the median of each figure. */
export async function compare(sides: Side[], ask: Ask, requests: number, rounds: number): Promise<Figures[]> {
  const measured: Figures[][] = sides.map(() => [])
  for (const side of sides) await measure(side, ask, requests)
  for (let round = 0; round < rounds; round++)
    for (const [i, side] of sides.entries()) measured[i]?.push(await measure(side, ask, requests))
  return measured.map((figures) => ({
    requestsPerSecond: median(figures.map((one) => one.requestsPerSecond)),
    cpuMicroseconds: median(figures.map((one) => one.cpuMicroseconds)),
    p99Milliseconds: median(figures.map((one) => one.p99Milliseconds)),
  }))
}

async function measure(side: Side, ask: Ask, requests: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const latencies: number[] = []
  let left = requests
  const cpuBefore = await cpuOf(side)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const sent = performance.now()
        await bytesOf(side, ask, agent)
        latencies.push(performance.now() - sent)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const cpu = (await cpuOf(side)) - cpuBefore
  agent.destroy()
  latencies.sort((one, other) => one - other)
  return {
    requestsPerSecond: requests / seconds,
    cpuMicroseconds: cpu / requests,
    p99Milliseconds: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  }
}

/** One answer's body. Anything but a success ends the bench. */
export async function bytesOf({ port }: Side, { path, headers = {} }: Ask, agent?: Agent): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  get({ host: '127.0.0.1', port, path, headers, ...(agent && { agent }) }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk) => chunks.push(chunk))
    response.on('end', () => {
      if (response.statusCode === 200) resolve(Buffer.concat(chunks))
      else reject(new Error(`${path} answered ${response.statusCode}`))
    })
    response.on('error', reject)
  }).on('error', reject)
  return promise
}

async function cpuOf({ process: child }: Side): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
  return cpu.user + cpu.system
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
