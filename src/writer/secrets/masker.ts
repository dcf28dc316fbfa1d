import { foundByNames } from './assignments.ts'
import { foundInCurl } from './curl.ts'
import { type Found, merged } from './found.ts'
import { knownSecrets } from './knownSecrets.ts'
import { foundByPatterns } from './patterns.ts'
import { foundPrivateKeys } from './privateKeys.ts'
import { foundRandomStrings } from './randomStrings.ts'
import { foundByRuleSet } from './ruleSet.ts'

export interface SecretMasker {
  /**
   * Masks the secrets in texts that belong together, such as the lines of a file's hunks in order: they are read as one,
   * so that a secret over several lines is seen. Each keeps its place and its number of lines.
   */
  mask(texts: string[]): Promise<string[]>
  /** How many different secrets it has masked so far. */
  readonly count: number
}

interface Secret {
  number: number
  kind: string
}

/** For the texts of one article: a secret has the same number wherever it stands, so that a moved one is seen to be. */
export function secretMasker(): SecretMasker {
  const secrets = new Map<string, Secret>()
  const known = knownSecrets((value) => secrets.has(value))

  function secretOf(text: string, { start, end, kind }: Found): Secret {
    const value = text.slice(start, end)
    const identity = value.includes('\n') ? value.replace(/[^A-Za-z0-9+/]/g, '') : value
    const before = secrets.get(identity)
    if (before) return before
    const secret = { number: secrets.size + 1, kind }
    secrets.set(identity, secret)
    if (!value.includes('\n')) known.add(value)
    return secret
  }

  return {
    async mask(texts) {
      const text = texts.join('\n')
      const found = merged(await secretsIn(text))
      for (const one of found) secretOf(text, one)
      const all = merged([...found, ...known.foundIn(text)])
      return cutLike(
        texts,
        replaced(text, all, (one) => secretOf(text, one)),
      )
    },
    get count() {
      return secrets.size
    },
  }
}

/** From those that know best what a secret is to those that only see that it is one. */
async function secretsIn(text: string): Promise<Found[]> {
  return [
    ...foundPrivateKeys(text),
    ...(await foundByRuleSet(text)),
    ...foundByPatterns(text),
    ...foundInCurl(text),
    ...foundRandomStrings(text),
    ...foundByNames(text),
  ]
}

function replaced(text: string, found: Found[], secretOf: (one: Found) => Secret): string {
  const parts: string[] = []
  let done = 0
  for (const one of found) {
    parts.push(text.slice(done, one.start), maskOf(text.slice(one.start, one.end), secretOf(one)))
    done = one.end
  }
  return parts.join('') + text.slice(done)
}

function maskOf(value: string, { number, kind }: Secret): string {
  const [, ...more] = value.split('\n')
  const continued = more.map((line) => `${/^[ \t]*/.exec(line)}[masked secret ${number}, continued]`)
  return [`[masked secret ${number}: ${kind}]`, ...continued].join('\n')
}

function cutLike(texts: string[], text: string): string[] {
  const lines = text.split('\n')
  let next = 0
  return texts.map((one) => {
    const first = next
    next += one.includes('\n') ? one.split('\n').length : 1
    return next - first === 1 ? (lines[first] ?? '') : lines.slice(first, next).join('\n')
  })
}
