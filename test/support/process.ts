import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export const defaultMain = process.env['TEST_MAIN'] ?? fileURLToPath(new URL('../../src/start.js', import.meta.url))
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))

/** Starts the server as a separate process and, unless told otherwise, waits until it is ready or has exited. */
export async function startProcess(
  env: Record<string, string>,
  { expectExit = false, waitsUntilReady = true, main = defaultMain, args = [] as string[] } = {},
) {
  const port = await freePort()
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      RATE_LIMITS: 'off',
      ARTICLE_QUOTA_PER_DAY: '1000',
      MODEL_TOKENS_PER_DAY: '1000000000',
      SIGN_UP: 'open',
      NODE_COMPILE_CACHE: compileCache,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  const output = () => chunks.join('')
  const ready = Promise.withResolvers<void>()
  let isReady = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      chunks.push(text)
      // Stops searching once ready: the output under load is too long to search repeatedly.
      isReady ||= output().includes('Pullpress is ready')
      if (isReady) ready.resolve()
    })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  if (waitsUntilReady) await Promise.race([ready.promise, exited])
  if ((child.exitCode !== null) !== expectExit)
    throw new Error(`The server ${expectExit ? 'did not exit' : 'exited'}: ${output()}`)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    output,
    ready: ready.promise,
    exitCode: child.exitCode,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    exited,
    async kill(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** Finds a port below the ephemeral range, so that the system does not assign it to an outgoing connection. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
