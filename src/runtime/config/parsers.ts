import { EnvError, makeExactValidator, makeValidator } from 'envalid'
import ipaddr from 'ipaddr.js'
import { isLanguageCode } from '../../lib/languageCode.ts'
import { Secret } from '../../lib/secret.ts'
import type { Prices } from './prices.ts'
import { parseSignUp, type SignUp } from './signUp.ts'

const split = (text: string) => text.split(',').map((part) => part.trim())

export const httpUrl = makeExactValidator<URL>((text) => {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new EnvError('must be an http or https URL')
  if (url.username || url.password) throw new EnvError('must not contain a user name or password')
  return url
})

/** The URL of the site. It has no path, because the service does not work below one. */
export const siteUrl = makeExactValidator<URL>((text) => {
  const url = httpUrl()._parse(text)
  if (url.href !== `${url.origin}/`) throw new EnvError('must have no path')
  return url
})

export const postgresUrl = makeExactValidator<Secret>((text) => {
  const protocol = URL.parse(text)?.protocol
  if (protocol !== 'postgres:' && protocol !== 'postgresql:')
    throw new EnvError('must be a postgres:// URL, with its password percent-encoded: %2F for /, %23 for #, %40 for @')
  return new Secret(text)
})

export const redisUrl = makeExactValidator<Secret>((text) => {
  const url = URL.parse(text)
  if (url?.protocol !== 'redis:' && url?.protocol !== 'rediss:') throw new EnvError('must be a redis:// URL')
  if (![url.username, url.password].every(isDecodable))
    throw new EnvError('must have its user name and password percent-encoded: %25 for %')
  return new Secret(text)
})

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The prices of a million tokens of each model: input and output, then optionally cached input and cache writes. */
export const prices = makeExactValidator<Prices[]>((text) =>
  text.split(';').map((ofModel) => {
    const parts = split(ofModel).map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : undefined))
    const [input, output, cached = input, cacheWrite = input] = parts
    if (input === undefined || output === undefined || cached === undefined || cacheWrite === undefined)
      throw new EnvError(
        'must be prices such as 0.25,2 (input, output) or 0.25,2,0.025,0.25 (and cached, cache writes)',
      )
    if (parts.length > 4 || parts.includes(undefined)) throw new EnvError('must be two to four prices such as 0.25,2')
    return { input, output, cached, cacheWrite }
  }),
)

/** Language codes, separated by commas. */
export const languages = makeExactValidator<[string, ...string[]]>((text) => {
  const [first = '', ...others] = split(text)
  if (![first, ...others].every(isLanguageCode))
    throw new EnvError('must be language codes of ISO 639-1 such as ja,en, separated by commas')
  return [first, ...others]
})

/** A value of an enumeration to which servers add values, so any lower-case word is accepted. */
export const keyword = makeValidator<string>((text) => {
  if (!/^[a-z][a-z_-]{0,29}$/.test(text)) throw new EnvError('must be a lower-case word')
  return text
})

export const secret = makeExactValidator<Secret>((text) => {
  if (/[^!-~]/.test(text)) throw new EnvError('must be printable ASCII without spaces')
  return new Secret(text)
})

/** Several secrets, separated by commas. */
export const secrets = makeExactValidator<Secret[]>((text) =>
  split(text).map((part) => {
    if (!/^[!-~]{16,}$/.test(part))
      throw new EnvError('must have at least 16 printable ASCII characters without spaces')
    return new Secret(part)
  }),
)

export const signUp = makeExactValidator<SignUp>((text) => {
  const rule = parseSignUp(text)
  if (!rule) throw new EnvError('must be open, closed, or a list such as organizations:acme,logins:alice,bob')
  return rule
})

export const origins = makeExactValidator<string[]>((text) =>
  split(text).map((part) => {
    const origin = part.replace(/:\*$/, '')
    if (part !== '*' && URL.parse(origin)?.origin !== origin)
      throw new EnvError(
        'must be origins such as https://reader.example.com or http://localhost:*, separated by commas, or *',
      )
    return part
  }),
)

export const addresses = makeExactValidator<string[]>((text) =>
  split(text).map((part) => {
    if (!ipaddr.isValid(part) && !ipaddr.isValidCIDR(part))
      throw new EnvError('must be addresses or ranges such as 10.0.0.0/8, separated by commas')
    return part
  }),
)

export const base64Keys = makeExactValidator<Secret[]>((text) =>
  split(text).map((part, index) => {
    const bytes = Buffer.from(part, 'base64')
    if (bytes.length !== 32 || bytes.toString('base64') !== part)
      throw new EnvError(`key ${index + 1} is not 32 bytes in base64`)
    return new Secret(part)
  }),
)

export const claimPointer = makeValidator<string>((text) => {
  if (!text.startsWith('/')) throw new EnvError('must be a JSON pointer such as /host_user_id')
  if (text.startsWith('/user_metadata')) throw new EnvError('must not point at user_metadata: users can edit that')
  return text
})

export function atLeast(min: number, max = Number.MAX_SAFE_INTEGER) {
  return makeExactValidator<number>((text) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new EnvError(
        `must be a whole number ${max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`}`,
      )
    return number
  })
}
