import { environment } from '../src/config/environment.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/open.ts'

const { databaseUrl, dataDir } = readConfig(environment())
const database = await openDatabase({ databaseUrl, dataDir, onConnectionError: console.error })
try {
  const applied = await database.migrate()
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.')
} finally {
  await database.close()
}
