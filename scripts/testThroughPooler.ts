import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { POSTGRES_URL } from '../test/support/database.ts'
import { listens } from '../test/support/listens.ts'

/** Runs the test suite through PgBouncer in transaction mode, started next to the Postgres of the tests. */
const PORT = 6544
const START_TIMEOUT_MS = 5000

const { hostname, port, username, password } = new URL(POSTGRES_URL)
const user = decodeURIComponent(username)
if (await listens('127.0.0.1', PORT)) throw new Error(`Port ${PORT} is in use.`)
const folder = await mkdtemp(join(tmpdir(), 'pullpress-pooler-'))
await chmod(folder, 0o755)
const users = join(folder, 'users.txt')
const settings = join(folder, 'pgbouncer.ini')
await writeFile(users, `"${user}" "${decodeURIComponent(password)}"\n`)
await writeFile(
  settings,
  `[databases]
* = host=${hostname} port=${port || 5432} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${PORT}
unix_socket_dir =
auth_type = any
auth_file = ${users}
pool_mode = transaction
default_pool_size = 8
max_client_conn = 1000
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
`,
)
// PgBouncer refuses to run as root.
const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
const pooler = spawn('pgbouncer', [...asNobody, '-q', settings], { stdio: ['ignore', 'ignore', 'inherit'] })
const failed = Promise.race([
  once(pooler, 'error').then(([error]) => Promise.reject(error)),
  once(pooler, 'exit').then(() => Promise.reject(new Error('PgBouncer exited unexpectedly.'))),
])
failed.catch(() => {})
try {
  await Promise.race([listening(), failed])
  process.exitCode = await runSuite()
} finally {
  pooler.kill()
  await rm(folder, { recursive: true, force: true })
}

async function runSuite(): Promise<number> {
  const through = { TEST_ONLY: 'postgres', TEST_POOLER_URL: `postgres://${user}@127.0.0.1:${PORT}/postgres` }
  const vitest = ['vitest', 'run', '--config', 'test/vitest.config.ts', ...process.argv.slice(2)]
  const suite = spawn('npx', vitest, { stdio: 'inherit', env: { ...process.env, ...through } })
  const [code] = await once(suite, 'exit')
  return code ?? 1
}

async function listening(): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS
  while (!(await listens('127.0.0.1', PORT))) {
    if (performance.now() > until) throw new Error('PgBouncer did not start.')
    await sleep(50)
  }
}
