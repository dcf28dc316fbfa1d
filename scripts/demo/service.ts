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
  /** A separate folder for the data, also the working directory. */
  folder: string
  hostUrl: string
  /** The code host's web pages, if they are not at `hostUrl`. */
  webUrl?: string
  /** Replaces variables of this process; undefined removes one. */
  env?: NodeJS.ProcessEnv
  signal: AbortSignal
}

type Child = ChildProcessByStdio<null, Readable, Readable>

export type DemoService = Awaited<ReturnType<typeof startService>>

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** Settings of the real service do not apply: the demo has its own data, host and tokens. */
const IGNORED_VARIABLES = /^(DATABASE_URL|TOKEN_ENCRYPTION_KEY|CODE_HOST_TOKEN|OIDC_.*)$/
const START_MS = 60_000
const GRACE_MS = 12_000
const POLL_MS = 50
const KEPT_LINES = 20

/** Starts the service as a process and waits until it is ready. */
export async function startService({ folder, hostUrl, webUrl = hostUrl, env = {}, signal }: Options) {
  const own = Object.entries(environment()).filter(([name]) => !IGNORED_VARIABLES.test(name))
  const inherited: NodeJS.ProcessEnv = { ...Object.fromEntries(own), ...env }
  const address = inherited['ADDRESS']?.trim() || '127.0.0.1'
  const port = await choosePort(inherited['PORT']?.trim(), address)
  const child = spawn(process.execPath, [MAIN], {
    env: {
      LOG_LEVEL: 'warn',
      // For front ends that run on this machine with a port of their own.
      CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*',
      ...inherited,
      ...(inherited['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: resolve(inherited['NODE_COMPILE_CACHE']) }),
      PORT: String(port),
      DATA_DIR: resolve(folder, 'data'),
      CODE_HOST_API_URL: hostUrl,
      CODE_HOST_WEB_URL: webUrl,
    },
    // No `.env` file here can bring the ignored variables back.
    cwd: folder,
    // Ctrl-C signals every process of the terminal group, and a second signal would cut the shutdown short.
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
      const killTimer = setTimeout(killNow, GRACE_MS)
      await exited
      clearTimeout(killTimer)
      // A surviving child process would keep these pipes and therefore the demo open.
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

/** Keeps the last log lines for errors, and prints new lines once `show` is called. */
function keepLog({ stdout, stderr }: Child) {
  let kept: string[] = []
  let isShown = false
  for (const input of [stdout, stderr])
    createInterface({ input }).on('line', (line) => {
      if (isShown) console.error(line)
      kept = [...kept, summarize(line)].slice(-KEPT_LINES)
    })
  return {
    lines: () => kept,
    show(): void {
      isShown = true
    },
  }
}

/** The message of a log line, without stack and other fields. */
function summarize(line: string): string {
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
