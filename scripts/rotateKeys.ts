import { explainStartError, runProgram } from '../src/cli.ts'
import { readConfig } from '../src/config/config.ts'
import { environment } from '../src/config/environment.ts'
import { openDatabase } from '../src/db/engine/open.ts'
import { rotateKeys } from '../src/maintenance/rotateKeys.ts'

await runProgram(async () => {
  const config = readConfig(environment())
  const { encryptionKeys } = config
  if (!encryptionKeys) {
    console.error('TOKEN_ENCRYPTION_KEY is not set: the embedded database uses its own key.')
    process.exitCode = 1
    return
  }
  const database = await explainStartError(
    'DATABASE_URL',
    openDatabase({ ...config, onConnectionError: console.error }),
  )
  try {
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
