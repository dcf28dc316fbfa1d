import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Secret } from '../../lib/secret.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Sealed {
  key_id: string
  sealed: Buffer
}

/** Encrypts with the first key. The result can be decrypted only for the same owner. */
export function seal(keys: Secret[], text: string, owner: string): Sealed {
  const [first] = keys
  if (!first) throw new Error('There is no encryption key.')
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, bytesOf(first), nonce).setAAD(Buffer.from(owner))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return { key_id: idOf(first), sealed: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]) }
}

/** The id of the first key, which encrypts. */
export function keyIdOf([first]: Secret[]): string {
  return first ? idOf(first) : ''
}

/** Whether a text was encrypted with another key than the first. */
export function isOutdated([first]: Secret[], { key_id }: Sealed): boolean {
  return first !== undefined && idOf(first) !== key_id
}

/** Decrypts with the matching key; undefined if the key is missing, the data was changed or the owner differs. */
export function unseal(keys: Secret[], { key_id, sealed }: Sealed, owner: string): string | undefined {
  const key = keys.find((candidate) => idOf(candidate) === key_id)
  if (!key || sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const encrypted = sealed.subarray(NONCE_BYTES + TAG_BYTES)
  try {
    const cipher = createDecipheriv(CIPHER, bytesOf(key), nonce).setAAD(Buffer.from(owner)).setAuthTag(tag)
    return Buffer.concat([cipher.update(encrypted), cipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function bytesOf(key: Secret): Buffer {
  return Buffer.from(key.reveal(), 'base64')
}

function idOf(key: Secret): string {
  return createHash('sha256').update(bytesOf(key)).digest('hex').slice(0, 16)
}
