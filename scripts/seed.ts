import { explainStartError, runProgram } from '../src/cli.ts'
import { readConfig } from '../src/config/config.ts'
import { environment } from '../src/config/environment.ts'
import { openDatabase } from '../src/db/engine/open.ts'
import { createBar } from './seed/bar.ts'
import { SeedFailure } from './seed/failure.ts'
import { type Filled, fill } from './seed/fill.ts'
import { type Options, readOptions, USAGE } from './seed/options.ts'
import { requireNoOthers } from './seed/whatThereIs.ts'

/** Creates millions of users, articles and likes to test the service at scale. */
const YEAR = 365 * 24 * 60 * 60_000
const INTERRUPTED = 130

process.once('SIGINT', () => {
  console.log(
    '\nStopped. Finished batches are stored and counted, the current one was rolled back. Run it again to continue.',
  )
  process.exit(INTERRUPTED)
})
await runProgram(async () => {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options) await seed(options)
    else console.log(USAGE)
  } catch (error) {
    if (!(error instanceof SeedFailure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
})

async function seed({ yes, ...wanted }: Options): Promise<void> {
  const config = readConfig(environment(), { encrypts: false })
  const options = { ...config, onConnectionError: console.error }
  const { db, migrate, close } = await explainStartError('DATA_DIR', openDatabase(options))
  try {
    await explainStartError('DATABASE_URL', migrate())
    if (!yes) await requireNoOthers(db)
    const started = performance.now()
    const bar = createBar()
    // No code host has these repositories, so the service must neither check nor hide them.
    const provenAt = new Date(Date.now() + YEAR)
    const filled = await fill(db, { ...wanted, provenAt, connections: config.databaseUrl ? 2 : 1 }, bar.draw)
    bar.end()
    report(filled, performance.now() - started)
  } finally {
    await close()
  }
}

function report({ users, articles, texts, likes, added }: Filled, milliseconds: number): void {
  const format = (count: number) => Math.round(count).toLocaleString('en')
  const seconds = milliseconds / 1000
  console.log(
    `The database has ${format(users)} users, ${format(articles)} articles in ${format(texts)} texts, ${format(likes)} likes.`,
  )
  console.log(`Added ${format(added)} likes in ${seconds.toFixed(1)} s, ${format(added / seconds)} per second.`)
  console.log(
    'Next: npm start (with DATABASE_URL it needs TOKEN_ENCRYPTION_KEY), then GET /ranking/articles/likes?period=weekly',
  )
}
