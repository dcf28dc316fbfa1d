import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '../../lib/secret.ts'

const KEY_BYTES = 32

/**
 * The encryption key for the embedded database. It is created on first use in the database's folder, which must be
 * locked before.
 */
export async function embeddedKey(dataDir: string): Promise<Secret> {
  const path = join(dataDir, 'token-encryption-key')
  const key = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return createKey(path)
    throw error
  })
  if (Buffer.from(key, 'base64').length !== KEY_BYTES) throw new Error(`${path} does not contain a key. Restore it.`)
  return new Secret(key.trim())
}

async function createKey(path: string): Promise<string> {
  const key = randomBytes(KEY_BYTES).toString('base64')
  await writeFile(`${path}.new`, `${key}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return key
}
