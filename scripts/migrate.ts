import { explainStartError, runProgram } from '../src/cli.ts'
import { readConfig } from '../src/config/config.ts'
import { environment } from '../src/config/environment.ts'
import { openDatabase } from '../src/db/engine/open.ts'

await runProgram(async () => {
  const config = readConfig(environment(), { encrypts: false })
  const options = { ...config, onConnectionError: console.error }
  const database = await explainStartError('DATA_DIR', openDatabase(options))
  try {
    const applied = await explainStartError('DATABASE_URL', database.migrate())
    console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.')
  } finally {
    await database.close()
  }
})
