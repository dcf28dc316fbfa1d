import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { countSealedByOthers } from '../../db/accounts/sealedRows.ts'
import { isFolderOf010 } from '../../db/engine/embedded.ts'
import { type DatabaseState, inspectDatabase } from '../../db/engine/inspect.ts'
import { belongsToNewer, NEWER_REMEDY } from '../../db/engine/migrate.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { UnsupportedDatabase } from '../../db/engine/unsupported.ts'
import { keyIdOf } from '../../domain/accounts/seal.ts'
import type { Config } from '../config/config.ts'
import { type Finding, messageOf } from './finding.ts'

const MAX_CLOCK_DIFFERENCE_MS = 60_000

const REMEDIES: Record<string, (variable: string) => string> = {
  '28P01': (variable) => `Correct the password in ${variable}.`,
  '28000': (variable) => `Correct the role in ${variable}, or allow it in the server's pg_hba.conf.`,
  '3D000': (variable) => `Create the database, or correct its name in ${variable}.`,
  ECONNREFUSED: (variable) => `Start Postgres, or correct host and port in ${variable}.`,
  ENOTFOUND: (variable) =>
    `Correct the host name in ${variable}. In a password, write special characters percent-encoded: %2F for /, %23 for #, %40 for @.`,
}

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!config.databaseUrl) return [await checkFolder(config.dataDir)]
  const database = await openDatabase({ ...config, onConnectionError: () => {} })
  try {
    const state = await inspectDatabase(database.db)
    const keys = state.isOf010 ? [] : await checkKeys()
    return [describe(state), ...checkClock(state), ...keys, ...(await checkDirect(config, state))]
  } catch (error) {
    return [unreachable('database', 'DATABASE_URL', error), ...(await checkDirect(config))]
  } finally {
    await database.close()
  }

  async function checkKeys(): Promise<Finding[]> {
    const keyIds = (config.encryptionKeys ?? []).map((key) => keyIdOf([key]))
    const unreadable = await countSealedByOthers(database.db, keyIds)
    const part = 'encryption key'
    if (unreadable === 0) return [{ part, state: 'ok', found: 'TOKEN_ENCRYPTION_KEY fits all stored tokens.' }]
    const message = `${unreadable} stored tokens were encrypted with another key.`
    const remedy = 'Add that key to TOKEN_ENCRYPTION_KEY. If it is lost, these users sign in again.'
    return [{ part, state: 'broken', found: message, remedy }]
  }
}

/**
 * Checks the URL for migrations, which is used if `DATABASE_URL` leads to a pooler. `pooled` is the state of the
 * database at `DATABASE_URL`; undefined if that URL does not work.
 */
async function checkDirect({ databaseUrl, directDatabaseUrl, dataDir }: Config, pooled?: DatabaseState) {
  if (!databaseUrl || !directDatabaseUrl) return []
  const part = 'migrations'
  const variable = 'MIGRATIONS_DATABASE_URL'
  const direct = await openDatabase({ databaseUrl: directDatabaseUrl, dataDir, onConnectionError: () => {} })
  try {
    const state = await inspectDatabase(direct.db)
    if (pooled && !isSameDatabase(state, pooled)) {
      const message = 'DATABASE_URL leads to another server, database or role.'
      return [
        { part, state: 'broken', found: message, remedy: `Let ${variable} name the same database and role.` } as const,
      ]
    }
    if (URL.parse(databaseUrl.reveal())?.host === URL.parse(directDatabaseUrl.reveal())?.host) {
      const message = `${variable} has the same address as DATABASE_URL, so it bypasses no pooler.`
      return [{ part, state: 'advice', found: message, remedy: 'Unset it, or let it name Postgres itself.' } as const]
    }
    return [{ part, state: 'ok', found: `${state.role} reaches ${state.database}.` } as const]
  } catch (error) {
    return [unreachable(part, variable, error)]
  } finally {
    await direct.close()
  }
}

function isSameDatabase(one: DatabaseState, other: DatabaseState): boolean {
  const identity = ({ database, role, startedAt }: DatabaseState) => [database, role, startedAt.getTime()].join(' ')
  return identity(one) === identity(other)
}

function unreachable(part: string, variable: string, error: unknown): Finding {
  const message = messageOf(error)
  const remedy =
    REMEDIES[String((error as NodeJS.ErrnoException).code)]?.(variable) ?? remedyByMessage(message, variable)
  return { part, state: 'broken', found: message, remedy }
}

/** The remedy for an error of the driver, which has a message but no code. */
function remedyByMessage(message: string, variable: string): string {
  if (/timeout/i.test(message)) return `Correct host and port in ${variable}, or the firewall in front of Postgres.`
  if (message.includes('client password must be a string')) return `Add the password to ${variable}.`
  return `Correct ${variable}.`
}

async function checkFolder(dataDir: string): Promise<Finding> {
  const part = 'database'
  const folder = resolve(dataDir)
  if (isFolderOf010(folder)) return refusal(new UnsupportedDatabase(folder))
  const isWritable = (path: string) =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    )
  // The service creates missing folders, so only the nearest existing one must be writable.
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  if (!(await isWritable(existing)))
    return { part, state: 'broken', found: `${folder} is not writable.`, remedy: 'Correct DATA_DIR or its owner.' }
  const remedy = 'Set DATABASE_URL for more than one node, or for many readers.'
  return { part, state: 'advice', found: `Embedded, in ${folder}.`, remedy }
}

function refusal({ found, remedy }: UnsupportedDatabase): Finding {
  return { part: 'database', state: 'broken', found, remedy }
}

function describe({ version, isSupported, role, canCreate, pending, unknown, isOf010 }: DatabaseState): Finding {
  const part = 'database'
  if (!isSupported)
    return { part, state: 'broken', found: `Postgres ${version}.`, remedy: 'Upgrade to Postgres 15 or newer.' }
  if (!canCreate) {
    const message = `The role ${role} may not create tables.`
    return { part, state: 'broken', found: message, remedy: `Make ${role} the owner of the database.` }
  }
  if (isOf010) return refusal(new UnsupportedDatabase())
  if (unknown.length > 0)
    return { part, state: 'broken', found: `${belongsToNewer(unknown)}.`, remedy: `${NEWER_REMEDY}.` }
  const migrations = pending === 0 ? 'the schema is up to date' : `${pending} migrations will run at the next start`
  return { part, state: 'ok', found: `Postgres ${version}, ${migrations}.` }
}

function checkClock({ now }: DatabaseState): Finding[] {
  const difference = Math.abs(Date.now() - now.getTime())
  if (difference < MAX_CLOCK_DIFFERENCE_MS) return []
  const message = `The clocks of this machine and the database differ by ${Math.round(difference / 1000)} s.`
  const remedy = 'Synchronize the clocks (NTP). Until then, times in the log differ from those that clients see.'
  return [{ part: 'clock', state: 'advice', found: message, remedy }]
}
