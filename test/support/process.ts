import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const ours = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** As for `npm start`. */
const compiled = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))

/** The server as a process of its own, once it says that it is ready, or once it has given up. */
export async function startProcess(env: Record<string, string>, { expectExit = false, main = ours } = {}) {
  const port = await freePort()
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      RATE_LIMITS: 'off',
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const output = () => said.join('')
  const ready = Promise.withResolvers<void>()
  let isReady = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.push(text)
      // Only until then: what is said under load is more than can be looked through again and again.
      isReady ||= output().includes('"Ready."')
      if (isReady) ready.resolve()
    })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  await Promise.race([ready.promise, exited])
  if ((child.exitCode !== null) !== expectExit)
    throw new Error(`The server ${expectExit ? 'runs' : 'gave up'}: ${output()}`)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    output,
    exitCode: child.exitCode,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    exited,
    async kill(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** From below where the system takes ports for connections: it would hand out one of those again at any moment. */
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
