import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { environment } from '../../src/runtime/config/environment.ts'
import { ScriptError } from './scriptError.ts'

interface Options {
  /**
   * The working directory, which also holds the data. It is a separate folder, because a `.env` file in the working
   * directory would set the ignored variables again.
   */
  folder: string
  hostUrl: string
  /** The code host's web pages, if they are not at `hostUrl`. */
  webUrl?: string
  /** Replaces variables of this process; undefined removes one. */
  env?: NodeJS.ProcessEnv
  signal: AbortSignal
}

const MAIN = fileURLToPath(new URL('../../src/start.js', import.meta.url))
/** Settings of a real service. The service started here ignores them, because it has its own data, host and tokens. */
const IGNORED_VARIABLES = /^(DATABASE_URL|TOKEN_ENCRYPTION_KEY|CODE_HOST_TOKEN|OIDC_.*)$/
const DEFAULT_PORT = 3000
const START_TIMEOUT_MS = 60_000
const POLL_MS = 50

/** Starts the service as a process and waits until it is ready. */
export async function startService({ folder, hostUrl, webUrl = hostUrl, env = {}, signal }: Options) {
  const kept = Object.entries(environment()).filter(([name]) => !IGNORED_VARIABLES.test(name))
  const inherited: NodeJS.ProcessEnv = { ...Object.fromEntries(kept), ...env }
  const { ADDRESS: address = '127.0.0.1', NODE_COMPILE_CACHE: cache } = inherited
  const port = await choosePort(inherited['PORT'], address)
  const child = spawn(process.execPath, [MAIN], {
    env: {
      LOG_LEVEL: 'warn',
      // Allows requests from front ends on this machine, on any port.
      CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*',
      ...inherited,
      ...(cache && { NODE_COMPILE_CACHE: resolve(cache) }),
      PORT: String(port),
      // The users are those of the sample code host.
      SIGN_UP: 'open',
      DATA_DIR: resolve(folder, 'data'),
      CODE_HOST_API_URL: hostUrl,
      CODE_HOST_WEB_URL: webUrl,
    },
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  await untilReady(url, child, signal).catch(async (error) => {
    await stop()
    throw error
  })
  return { url, exited, stop }
}

/** The requested port, else the default port, else any free one. */
async function choosePort(requested: string | undefined, address: string): Promise<number> {
  for (const port of requested ? [Number(requested)] : [DEFAULT_PORT, 0])
    try {
      const server = createServer().listen(port, address)
      await once(server, 'listening')
      const { port: free } = server.address() as AddressInfo
      await new Promise((closed) => server.close(closed))
      return free
    } catch {}
  throw new ScriptError(`Port ${requested ?? DEFAULT_PORT} (PORT) is in use or not permitted on ${address}.`)
}

async function untilReady(url: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS
  while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
    const response = await fetch(`${url}/readyz`, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new ScriptError('The service did not start.')
}
