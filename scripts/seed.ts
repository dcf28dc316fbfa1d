import { explainStartError, runProgram } from '../src/cli.ts'
import { openDatabase } from '../src/db/engine/open.ts'
import { readConfig } from '../src/runtime/config/config.ts'
import { environment } from '../src/runtime/config/environment.ts'
import { ScriptError } from './demo/scriptError.ts'
import { fill, requireNoRealUsers, type Wanted } from './seed/fill.ts'
import { readOptions, USAGE } from './seed/options.ts'
import { createProgress } from './seed/progress.ts'

/** Creates millions of users, articles and likes to test the service at scale. */
const INTERRUPTED = 130

process.once('SIGINT', () => {
  console.log('\nStopped. Finished batches are stored: run it again to continue.')
  process.exit(INTERRUPTED)
})
await runProgram(async () => {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options) await seed(options)
    else console.log(USAGE)
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
})

async function seed({ yes, ...wanted }: Wanted & { yes: boolean }): Promise<void> {
  const config = readConfig(environment(), { encrypts: false })
  const options = { ...config, onConnectionError: console.error }
  const { db, migrate, close } = await explainStartError('DATA_DIR', openDatabase(options))
  try {
    await explainStartError('DATABASE_URL', migrate())
    if (!yes) await requireNoRealUsers(db)
    const started = performance.now()
    const { tokens: _, sample: __, added, ...totals } = await fill(db, wanted, createProgress())
    const seconds = (performance.now() - started) / 1000
    const counts = Object.entries(totals).map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    console.log(`The database has ${counts.join(', ')}.`)
    console.log(`Added ${added.toLocaleString('en')} likes in ${seconds.toFixed(1)} s.`)
    console.log(`Next: CODE_HOST_API_URL=http://127.0.0.1:9 npm start (with DATABASE_URL it needs TOKEN_ENCRYPTION_KEY).
A real code host would say that the made-up repositories do not exist, and they would be hidden.`)
  } finally {
    await close()
  }
}
