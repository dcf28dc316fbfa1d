import { access, constants } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { keyIdOf } from '../accounts/seal.ts'
import type { Config } from '../config/config.ts'
import { countSealedByOthers } from '../db/accounts/sealedRows.ts'
import { type DatabaseState, inspectDatabase } from '../db/engine/inspect.ts'
import { openDatabase } from '../db/engine/open.ts'
import { type Finding, messageOf } from './finding.ts'

const MAX_CLOCK_DIFFERENCE_MS = 60_000

const REMEDIES: Record<string, string> = {
  '28P01': 'Correct the password in DATABASE_URL.',
  '28000': "Correct the role in DATABASE_URL, or allow it in the server's pg_hba.conf.",
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  ECONNREFUSED: 'Start Postgres, or correct host and port in DATABASE_URL.',
  ENOTFOUND: 'Correct the host name in DATABASE_URL.',
}

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!config.databaseUrl) return [await checkFolder(config.dataDir)]
  const database = await openDatabase({ ...config, onConnectionError: () => {} })
  try {
    const state = await inspectDatabase(database.db)
    return [describe(state), ...checkClock(state), ...(await checkKeys())]
  } catch (error) {
    const remedy = REMEDIES[String((error as NodeJS.ErrnoException).code)] ?? 'Correct DATABASE_URL.'
    return [{ part: 'database', state: 'broken', found: messageOf(error), remedy }]
  } finally {
    await database.close()
  }

  async function checkKeys(): Promise<Finding[]> {
    const keyIds = (config.encryptionKeys ?? []).map((key) => keyIdOf([key]))
    const unreadable = await countSealedByOthers(database.db, keyIds)
    const part = 'encryption key'
    if (unreadable === 0) return [{ part, state: 'ok', found: 'TOKEN_ENCRYPTION_KEY fits all stored tokens.' }]
    const found = `${unreadable} stored tokens were encrypted with another key.`
    const remedy = 'Add that key to TOKEN_ENCRYPTION_KEY. If it is lost, these users sign in again.'
    return [{ part, state: 'broken', found, remedy }]
  }
}

async function checkFolder(dataDir: string): Promise<Finding> {
  const part = 'database'
  const folder = resolve(dataDir)
  const isWritable = (path: string) =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    )
  if (!(await isWritable(folder)) && !(await isWritable(dirname(folder))))
    return { part, state: 'broken', found: `${folder} is not writable.`, remedy: 'Correct DATA_DIR or its owner.' }
  const remedy = 'Set DATABASE_URL for more than one node, or for many readers.'
  return { part, state: 'advice', found: `Embedded, in ${folder}.`, remedy }
}

function describe({ version, isSupported, role, canCreate, pending }: DatabaseState): Finding {
  const part = 'database'
  if (!isSupported)
    return { part, state: 'broken', found: `Postgres ${version}.`, remedy: 'Upgrade to Postgres 15 or newer.' }
  if (!canCreate) {
    const found = `The role ${role} may not create tables.`
    return { part, state: 'broken', found, remedy: `Make ${role} the owner of the database.` }
  }
  const migrations = pending === 0 ? 'the schema is up to date' : `${pending} migrations will run at the next start`
  return { part, state: 'ok', found: `Postgres ${version}, ${migrations}.` }
}

function checkClock({ now }: DatabaseState): Finding[] {
  const difference = Math.abs(Date.now() - now.getTime())
  if (difference < MAX_CLOCK_DIFFERENCE_MS) return []
  const found = `The clocks of this machine and the database differ by ${Math.round(difference / 1000)} s.`
  return [{ part: 'clock', state: 'broken', found, remedy: 'Synchronize the clocks (NTP).' }]
}
