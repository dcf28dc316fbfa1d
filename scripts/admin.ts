import { explainStartError, runProgram } from '../src/cli.ts'
import { hasDatabase } from '../src/db/engine/embedded.ts'
import { requireCurrentSchema } from '../src/db/engine/migrate.ts'
import { openDatabase } from '../src/db/engine/open.ts'
import { AdminError } from '../src/domain/administration/perform.ts'
import { readConfig } from '../src/runtime/config/config.ts'
import { environment } from '../src/runtime/config/environment.ts'
import { type Arguments, readArguments, USAGE } from './admin/arguments.ts'
import { type Done, UsageError } from './admin/command.ts'
import { json, plain } from './admin/print.ts'

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
  if (!config.databaseUrl && !hasDatabase(config.dataDir))
    throw new AdminError(
      `There is no database: DATABASE_URL is unset, and there is none in ${config.dataDir}. Run the command with the variables of the service.`,
    )
  const variable = config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
  const database = await explainStartError(variable, openDatabase({ ...config, onConnectionError: console.error }))
  try {
    const { db } = database
    await explainStartError(variable, requireCurrentSchema(db))
    const outcome = await command.run({ db, config, ...request })
    if ('rows' in outcome) console.log(isJson ? json(outcome.rows) : outcome.text)
    else console.log(isJson ? json(outcome.acts.map((act) => ({ ...act, ...outcome.details }))) : textOf(outcome))
  } finally {
    await database.close()
  }
}

function textOf({ acts, details = {}, hint }: Done): string {
  const done = acts.map(({ act, subject }) => `Done: ${act}: ${plain(subject)}`)
  const results = Object.entries(details).map(([name, value]) => `${name}: ${value}`)
  return [...done, ...results, ...(hint ? [hint] : [])].join('\n')
}
