import { foundByNames } from './assignments.ts'
import { type Found, merged } from './found.ts'
import { looksRandom } from './likeness.ts'
import { foundByPatterns } from './patterns.ts'
import { foundPrivateKeys } from './privateKeys.ts'
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

/** Enough of a secret to know it again by. */
const OPENING = 12

/** For the texts of one article: a secret has the same number wherever it stands, so that a moved one is seen to be. */
export function secretMasker(): SecretMasker {
  const secrets = new Map<string, Secret>()
  const byOpening = new Map<string, Set<number>>()

  function secretOf(text: string, { start, end, kind }: Found): Secret {
    const value = text.slice(start, end)
    const identity = value.includes('\n') ? value.replace(/[^A-Za-z0-9+/]/g, '') : value
    const known = secrets.get(identity)
    if (known) return known
    const secret = { number: secrets.size + 1, kind }
    secrets.set(identity, secret)
    if (looksRandom(value, OPENING) && !value.includes('\n')) {
      const opening = value.slice(0, OPENING)
      const lengths = byOpening.get(opening) ?? new Set<number>()
      byOpening.set(opening, lengths.add(value.length))
    }
    return secret
  }

  return {
    async mask(texts) {
      const text = texts.join('\n')
      const found = merged(await secretsIn(text))
      for (const one of found) secretOf(text, one)
      const all = merged([...found, ...knownIn(text, byOpening, (value) => secrets.has(value))])
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
  const found = await foundByRuleSet(text)
  return [...foundPrivateKeys(text), ...found, ...foundByPatterns(text), ...foundByNames(text)]
}

/** A secret that was told by its name in one place is one without it, too. */
function knownIn(text: string, byOpening: Map<string, Set<number>>, isKnown: (value: string) => boolean): Found[] {
  const found: Found[] = []
  if (byOpening.size === 0) return found
  for (let start = 0; start + OPENING <= text.length; start += 1) {
    const lengths = byOpening.get(text.slice(start, start + OPENING))
    const length = lengths && [...lengths].find((candidate) => isKnown(text.slice(start, start + candidate)))
    if (length) found.push({ start, end: start + length, kind: 'secret' })
  }
  return found
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
    next += one.split('\n').length
    return lines.slice(first, next).join('\n')
  })
}
