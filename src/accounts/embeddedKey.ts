import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '../secret.ts'

/** The encryption key of the embedded database, made once and kept beside it. Its folder is locked by then. */
export async function embeddedKey(dataDir: string): Promise<Secret> {
  const path = join(dataDir, 'token-encryption-key')
  try {
    return new Secret((await readFile(path, 'utf8')).trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const key = randomBytes(32).toString('base64')
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return new Secret(key)
  }
}
