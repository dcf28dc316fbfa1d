import type { Found } from './found.ts'
import { looksRandom } from './looksRandom.ts'

/** The number of characters at the start of a known secret by which it is looked up. */
const OPENING = 12
/**
 * How many characters may be compared per character of the text. Limited, because hostile input can hold secrets of
 * many lengths with the same opening.
 */
const COMPARED_PER_CHARACTER = 16
const COMPARED_AT_LEAST = 200_000

export interface KnownSecrets {
  add(secret: string): void
  /** Finds known secrets that occur again without the name that identified them. */
  foundIn(text: string): Found[]
}

export function knownSecrets(isSecret: (value: string) => boolean): KnownSecrets {
  const lengths = new Map<string, Set<number>>()
  /** The pairs of characters that may start a known secret, to skip most positions without slicing the text. */
  const mayOpen = new Uint8Array(1 << 16)

  return {
    add(secret) {
      if (!looksRandom(secret, OPENING)) return
      const opening = secret.slice(0, OPENING)
      lengths.set(opening, (lengths.get(opening) ?? new Set()).add(secret.length))
      mayOpen[bitsAt(secret, 0)] = 1
    },
    foundIn(text) {
      const spans: Found[] = []
      if (lengths.size === 0) return spans
      let left = text.length * COMPARED_PER_CHARACTER + COMPARED_AT_LEAST
      for (let start = 0; start + OPENING <= text.length; start += 1) {
        if (mayOpen[bitsAt(text, start)] === 0) continue
        for (const length of lengths.get(text.slice(start, start + OPENING)) ?? []) {
          left -= length
          // Over budget, mask everything that starts like a known secret without comparing the rest.
          if (left >= 0 && !isSecret(text.slice(start, start + length))) continue
          const end = Math.min(start + length, text.length)
          const last = spans.at(-1)
          if (last && start < last.end) last.end = Math.max(last.end, end)
          else spans.push({ start, end, kind: 'secret' })
          break
        }
      }
      return spans
    },
  }
}

function bitsAt(text: string, start: number): number {
  return ((text.charCodeAt(start) << 8) ^ text.charCodeAt(start + 1)) & 0xffff
}
