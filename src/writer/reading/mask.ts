import type { Hunk } from './hunks.ts'

/** Masks the secrets in texts that belong together. Each text keeps its number of lines. */
export type Mask = (texts: string[]) => Promise<string[]>

export async function maskText(text: string, mask: Mask): Promise<string> {
  const [masked = ''] = await mask([text])
  return masked
}

/**
 * Masks all lines together, because a secret can span several lines. The headings come last, so as not to be in
 * between.
 */
export async function maskHunks(hunks: Hunk[], mask: Mask): Promise<Hunk[]> {
  const texts = hunks.flatMap(({ lines }) => lines.map(({ text }) => text))
  const masked = (await mask([...texts, ...hunks.map(({ heading }) => heading)])).values()
  const next = () => masked.next().value ?? ''
  const lines = hunks.map((hunk) => hunk.lines.map((line) => ({ ...line, text: next() })))
  return lines.map((ofHunk) => ({ heading: next(), lines: ofHunk }))
}
