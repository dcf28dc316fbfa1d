import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { environment } from '../../src/config/environment.ts'
import { DemoFailure } from './failure.ts'
import { choosePort } from './port.ts'

interface Options {
  /** A folder of its own, for the data and to run in. */
  folder: string
  hostUrl: string
  signal: AbortSignal
}

type Child = ChildProcessByStdio<null, Readable, Readable>

export type DemoService = Awaited<ReturnType<typeof startService>>

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** The demo has its own data, its own host and that host's tokens: what is set for the real ones is not for it. */
const NOT_FOR_THE_DEMO = /^(DATABASE_URL|TOKEN_ENCRYPTION_KEY|CODE_HOST_TOKEN|OIDC_.*)$/
const START_MS = 60_000
const GRACE_MS = 12_000
const POLL_MS = 50
const KEPT_LINES = 20

/** The service as a process of its own, once it takes requests. */
export async function startService({ folder, hostUrl, signal }: Options) {
  const given = Object.fromEntries(Object.entries(environment()).filter(([name]) => !NOT_FOR_THE_DEMO.test(name)))
  const address = given['ADDRESS']?.trim() || '127.0.0.1'
  const port = await choosePort(given['PORT']?.trim(), address)
  const child = spawn(process.execPath, [MAIN], {
    env: {
      LOG_LEVEL: 'warn',
      ...given,
      ...(given['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: resolve(given['NODE_COMPILE_CACHE']) }),
      PORT: String(port),
      DATA_DIR: resolve(folder, 'data'),
      CODE_HOST_API_URL: hostUrl,
      CODE_HOST_WEB_URL: hostUrl,
    },
    // There is no `.env` here that would bring back what was left out.
    cwd: folder,
    // Ctrl-C reaches every process of the terminal's group, and a second signal would cut its closing short.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const exited = once(child, 'exit').finally(() => process.off('exit', killNow))
  const log = keepLog(child)
  const service = {
    url: urlOf(address, port),
    exited,
    lastLogLines: log.lines,
    showLog: log.show,
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      const patience = setTimeout(killNow, GRACE_MS)
      await exited
      clearTimeout(patience)
      // Where something it started outlives it, that holds these open, and they would hold us.
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
  try {
    await untilReady(service.url, child, signal)
  } catch (error) {
    if (child.exitCode === null && child.signalCode === null) await service.stop()
    signal.throwIfAborted()
    throw new DemoFailure([(error as Error).message, ...log.lines()].join('\n'))
  }
  return service
}

/** The last lines it logged are kept for when it fails; they are shown as they come only once that is asked for. */
function keepLog({ stdout, stderr }: Child) {
  let kept: string[] = []
  let isShown = false
  for (const input of [stdout, stderr])
    createInterface({ input }).on('line', (line) => {
      if (isShown) console.error(line)
      kept = [...kept, inShort(line)].slice(-KEPT_LINES)
    })
  return {
    lines: () => kept,
    show(): void {
      isShown = true
    },
  }
}

/** What a line of the log says, without its stack and all else that is for machines. */
function inShort(line: string): string {
  if (!line.startsWith('{')) return line
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }
    return [msg, err?.message].filter(Boolean).join(' ')
  } catch {
    return line
  }
}

async function untilReady(url: string, child: Child, signal: AbortSignal): Promise<void> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The service did not start.')
    const answer = await fetch(`${url}/readyz`, { signal }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new Error(`The service was not ready after ${START_MS / 1000} seconds.`)
}

function urlOf(address: string, port: number): string {
  if (['0.0.0.0', '::', '127.0.0.1'].includes(address)) return `http://127.0.0.1:${port}`
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}
