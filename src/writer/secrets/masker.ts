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
   * Masks the secrets in texts that belong together, such as the lines of a file. They are searched as one text, so
   * that secrets of several lines are found. Each text keeps its index and its number of lines.
   */
  mask(texts: string[]): Promise<string[]>
  /** The number of different secrets masked so far. */
  readonly count: number
}

interface Secret {
  number: number
  kind: string
}

/**
 * Creates the masker of one article. A secret has the same number everywhere in it, so that readers can recognize a
 * secret that was moved.
 */
export function secretMasker(): SecretMasker {
  const secrets = new Map<string, Secret>()
  const dictionary = knownSecrets((value) => secrets.has(value))

  function secretOf(text: string, { start, end, kind }: Found): Secret {
    const value = text.slice(start, end)
    const identity = value.includes('\n') ? value.replace(/[^A-Za-z0-9+/]/g, '') : value
    const existing = secrets.get(identity)
    if (existing) return existing
    const secret = { number: secrets.size + 1, kind }
    secrets.set(identity, secret)
    if (!value.includes('\n')) dictionary.add(value)
    return secret
  }

  return {
    async mask(texts) {
      const text = texts.join('\n')
      const spans = merged(await secretsIn(text))
      for (const span of spans) secretOf(text, span)
      const all = merged([...spans, ...dictionary.foundIn(text)])
      return splitLike(
        texts,
        replaced(text, all, (span) => secretOf(text, span)),
      )
    },
    get count() {
      return secrets.size
    },
  }
}

/** Runs the most specific detectors first, because the first one determines the kind of a secret. */
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

function replaced(text: string, spans: Found[], secretOf: (span: Found) => Secret): string {
  const parts: string[] = []
  let done = 0
  for (const span of spans) {
    parts.push(text.slice(done, span.start), maskOf(text.slice(span.start, span.end), secretOf(span)))
    done = span.end
  }
  return parts.join('') + text.slice(done)
}

function maskOf(value: string, { number, kind }: Secret): string {
  const [, ...more] = value.split('\n')
  const continued = more.map((line) => `${/^[ \t]*/.exec(line)}[masked secret ${number}, continued]`)
  return [`[masked secret ${number}: ${kind}]`, ...continued].join('\n')
}

function splitLike(texts: string[], text: string): string[] {
  const lines = text.split('\n')
  let next = 0
  return texts.map((original) => {
    const first = next
    next += original.includes('\n') ? original.split('\n').length : 1
    return next - first === 1 ? (lines[first] ?? '') : lines.slice(first, next).join('\n')
  })
}
