import { AdminError } from '../src/admin/perform.ts'
import { explainStartError, runProgram } from '../src/cli.ts'
import { readConfig } from '../src/config/config.ts'
import { environment } from '../src/config/environment.ts'
import { isMigrated } from '../src/db/engine/migrate.ts'
import { openDatabase } from '../src/db/engine/open.ts'
import { createLogger } from '../src/logger.ts'
import { type Arguments, readArguments, USAGE } from './admin/arguments.ts'
import { type Done, UsageError } from './admin/command.ts'
import { json, plain } from './admin/print.ts'

const UNDEFINED_TABLE = '42P01'

await runProgram(async () => {
  try {
    const request = readArguments(process.argv.slice(2), new Date())
    if (request) await run(request)
    else console.log(USAGE)
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof AdminError)) throw error
    console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error.message)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
})

async function run({ command, isJson, ...request }: Arguments): Promise<void> {
  const config = readConfig(environment(), { encrypts: false })
  const variable = config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
  const database = await explainStartError(variable, openDatabase({ ...config, onConnectionError: console.error }))
  try {
    const { db } = database
    if (!(await explainStartError(variable, isMigrated(db).catch(falseIfEmpty))))
      throw new AdminError('The database schema is older than this version: run npm run migrate.')
    const outcome = await command.run({ db, config, ...request })
    if ('rows' in outcome) console.log(isJson ? json(outcome.rows) : outcome.text)
    else printActs(outcome)
  } finally {
    await database.close()
  }
}

/** An empty database has no table of migrations. */
function falseIfEmpty(error: { code?: string }): false {
  if (error.code === UNDEFINED_TABLE) return false
  throw error
}

function printActs({ acts, details }: Done): void {
  const logger = createLogger('info')
  for (const { act, subject, by, note } of acts)
    logger.info({ act, subject: plain(subject), by: plain(by), note: note && plain(note), ...details }, 'Done.')
}
