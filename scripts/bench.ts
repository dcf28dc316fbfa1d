import { randomBytes } from 'node:crypto'
import { openDatabase } from '../src/db/engine/open.ts'
import { Secret } from '../src/lib/secret.ts'
import { asAdmin, databaseUrl } from '../test/support/database.ts'
import { benchMcp, benchWriting } from './bench/beside.ts'
import { type Side, startSide } from './bench/compare.ts'
import { benchGrowth } from './bench/growth.ts'
import { benchIdle } from './bench/idle.ts'
import { benchLikes } from './bench/likes.ts'
import { benchPages } from './bench/pages.ts'
import { PUBLIC_URL } from './bench/publicUrl.ts'
import { benchReading } from './bench/reading.ts'
import { benchSearch } from './bench/search.ts'
import { startFakeHost } from './fakeHost/fakeHost.ts'

/**
 * Compares the service with a bare `node:http` + `pg` server that returns the same bytes from the same database, and
 * measures the ranking as likes grow. `npm run bench -- reading likes` selects benchmarks.
 */
const parts = {
  reading: benchReading,
  likes: benchLikes,
  growth: benchGrowth,
  pages: benchPages,
  search: benchSearch,
  idle: benchIdle,
  writing: benchWriting,
  mcp: benchMcp,
}
const selected = process.argv.slice(2)
const wanted = Object.entries(parts).filter(([name]) => selected.length === 0 || selected.includes(name))
if (wanted.length < selected.length) {
  console.error(`Available benchmarks: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}

for (const [, measure] of wanted) {
  const name = `pullpress_bench_${randomBytes(4).toString('hex')}`
  const host = await startFakeHost()
  await asAdmin(`create database ${name}`)
  const sides: Side[] = []
  const env = {
    DATABASE_URL: databaseUrl(name),
    CODE_HOST_API_URL: host.url,
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    NODE_ENV: 'production',
    RATE_LIMITS: 'off',
    PUBLIC_URL,
  }
  const start = async (side: string, file: 'ourServer' | 'bareServer', more: NodeJS.ProcessEnv = {}) => {
    sides.push(await startSide(side, new URL(`./bench/${file}.ts`, import.meta.url), { ...env, ...more }))
    return sides.at(-1) as Side
  }
  const database = await openDatabase({
    databaseUrl: new Secret(env.DATABASE_URL),
    dataDir: '',
    onConnectionError: console.error,
  })
  try {
    await database.migrate()
    await measure({ db: database.db, env, start })
  } finally {
    for (const side of sides) if (side.process.connected) side.process.disconnect()
    await database.close()
    await asAdmin(`drop database ${name} with (force)`)
    await host.close()
  }
}
