import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './process.ts'

const run = promisify(execFile)
const START_MS = 30_000
const SETTINGS = { listen_addresses: '127.0.0.1', shared_buffers: '16MB', max_connections: '200' }

interface Installed {
  programs: string
  /** The user to run as; Postgres refuses to run as root. */
  user?: { uid: number; gid: number }
}

/**
 * Finds the Postgres programs and a user for a separate cluster; undefined if the programs or an unprivileged user are
 * missing.
 */
export function findPostgres(): Installed | undefined {
  const versioned = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versioned.reverse()]
  const initdb = folders.map((folder) => join(folder, 'initdb')).find((path) => existsSync(path))
  if (!initdb) return undefined
  const programs = dirname(realpathSync(initdb))
  if (process.getuid?.() !== 0) return { programs }
  const user = userNamed('postgres') ?? userNamed('nobody')
  return user && { programs, user }
}

function userNamed(name: string): Installed['user'] {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : ''
  const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** A Postgres cluster that tests may kill. */
export async function startCluster({ programs, user }: Installed) {
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-cluster-'))
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...user }
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  let postmaster: ChildProcess
  let exited: Promise<unknown>
  let stderr = ''

  /**
   * Starts Postgres and waits until it accepts connections. Tries again if Postgres exits because the processes of the
   * killed cluster have not ended yet.
   */
  async function start(): Promise<void> {
    const until = performance.now() + START_MS
    let isUp = false
    while (!isUp) {
      if (performance.now() > until) throw new Error(`The cluster did not start: ${stderr}`)
      if (!postmaster || hasExited(postmaster)) {
        postmaster = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
          ...options,
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        exited = once(postmaster, 'exit')
        postmaster.stderr?.setEncoding('utf8').on('data', (text: string) => {
          stderr = (stderr + text).slice(-4000)
        })
      }
      isUp = await accepts(url)
      if (!isUp) await sleep(50)
    }
  }

  await start()
  return {
    url,
    start,
    /** Kills all Postgres processes at once. Suspends the postmaster first, so that it cannot fork. */
    async kill9(): Promise<void> {
      const pid = postmaster.pid ?? 0
      process.kill(pid, 'SIGSTOP')
      const listed = run('ps', ['-A', '-o', 'pid=,ppid='])
      const { stdout } = await listed.finally(() => process.kill(pid, 'SIGKILL'))
      const processes = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
      for (const [child = 0, parent] of processes) if (parent === pid) killIfRunning(child)
      await exited
    },
    async remove(): Promise<void> {
      postmaster.kill('SIGINT')
      if (!hasExited(postmaster)) await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const hasExited = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  return client
    .connect()
    .then(() => client.end())
    .then(
      () => true,
      () => false,
    )
}
