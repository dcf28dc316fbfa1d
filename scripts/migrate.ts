import { databaseVariables, explainStartError, runProgram } from '../src/cli.ts'
import { openDatabase } from '../src/db/engine/open.ts'
import { readConfig } from '../src/runtime/config/config.ts'
import { environment } from '../src/runtime/config/environment.ts'

await runProgram(async () => {
  const config = readConfig(environment(), { encrypts: false })
  const options = { ...config, onConnectionError: console.error }
  const variables = databaseVariables(config)
  const database = await explainStartError(variables, openDatabase(options))
  try {
    const applied = await explainStartError(variables, database.migrate())
    console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.')
  } finally {
    await database.close()
  }
})
