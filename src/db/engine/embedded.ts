import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PoolConfig } from 'pg'
import { UnsupportedDatabase } from './unsupported.ts'

const POSTGRES_FOLDER = 'pgdata'
/**
 * A folder of this name shows that version 0.1.0 made the database. Opening the database to find out would change it.
 */
const POSTGRES_FOLDER_OF_0_1_0 = 'postgres'

/** Whether the folder already holds a database, so that opening it creates none. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, POSTGRES_FOLDER)) || isFolderOf010(dataDir)
}

export function isFolderOf010(dataDir: string): boolean {
  return existsSync(join(dataDir, POSTGRES_FOLDER_OF_0_1_0))
}

export interface Embedded {
  poolConfig: PoolConfig
  close(): Promise<void>
}

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another process has the embedded database in ${dataDir} open. Stop it, or set DATA_DIR or DATABASE_URL.`)
  }
}

/**
 * Thrown if root opens a database of another user: files that root creates there would keep the service from starting.
 */
export class DataDirOfOther extends Error {
  constructor(dataDir: string, owner: number) {
    super(
      `The embedded database in ${dataDir} belongs to the user with id ${owner}. Run this as that user, not as root.`,
    )
  }
}

/** Opens Postgres inside this process (PGlite), stored in a folder. */
export async function openEmbedded(dataDir: string): Promise<Embedded> {
  if (isFolderOf010(dataDir)) throw new UnsupportedDatabase(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await requireOwn(dataDir)
  const unlock = lockFolder(dataDir)
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const { createPgConfig } = await import('@electric-sql/pglite/node-postgres')
    const pglite = await PGlite.create(join(dataDir, POSTGRES_FOLDER))
    return {
      poolConfig: createPgConfig(pglite) as PoolConfig,
      close: async () => {
        await pglite.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function requireOwn(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0 || !hasDatabase(dataDir)) return
  const { uid } = await stat(join(dataDir, POSTGRES_FOLDER))
  if (uid !== 0) throw new DataDirOfOther(dataDir, uid)
}

/**
 * Locks the folder, because two processes would corrupt it. SQLite's exclusive lock is a lock of the operating system:
 * it is atomic, and released when the process ends, even after a crash.
 */
function lockFolder(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('begin exclusive')
  } catch {
    lock.close()
    throw new DataDirInUse(dataDir)
  }
  return () => lock.close()
}
