import { explainStartError, runProgram } from '../src/cli.ts'
import { requireCurrentSchema } from '../src/db/engine/migrate.ts'
import { openDatabase } from '../src/db/engine/open.ts'
import { rotateKeys } from '../src/domain/accounts/rotateKeys.ts'
import { readConfig } from '../src/runtime/config/config.ts'
import { environment } from '../src/runtime/config/environment.ts'

await runProgram(async () => {
  const config = readConfig(environment())
  const { databaseUrl, encryptionKeys } = config
  if (!databaseUrl || !encryptionKeys) {
    console.error('Set DATABASE_URL and TOKEN_ENCRYPTION_KEY. An embedded database has a key of its own.')
    process.exitCode = 1
    return
  }
  const database = await openDatabase({ ...config, onConnectionError: () => {} })
  try {
    await explainStartError('DATABASE_URL', requireCurrentSchema(database.db))
    const rotations = await rotateKeys(database.db, encryptionKeys, ({ table, moved }) =>
      console.log(`${table}: ${moved} re-encrypted so far`),
    )
    for (const { table, moved, unreadable } of rotations)
      console.log(`${table}: ${moved} re-encrypted${unreadable > 0 ? `, ${unreadable} that no key can decrypt` : ''}`)
    if (rotations.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1
  } finally {
    await database.close()
  }
})
