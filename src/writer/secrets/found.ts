/** The position of a secret in a text, and its kind in plain words. */
export interface Found {
  start: number
  end: number
  kind: string
}

/** Sorts by position and merges overlaps. A merged span gets the kind of the span that is listed first in `spans`. */
export function merged(spans: Found[]): Found[] {
  const ranked = spans.map((span, rank) => ({ ...span, rank })).sort((a, b) => a.start - b.start || a.rank - b.rank)
  const disjoint: typeof ranked = []
  for (const span of ranked) {
    const last = disjoint.at(-1)
    if (!last || span.start >= last.end) {
      disjoint.push(span)
      continue
    }
    last.end = Math.max(last.end, span.end)
    if (span.rank < last.rank) Object.assign(last, { kind: span.kind, rank: span.rank })
  }
  return disjoint.map(({ start, end, kind }) => ({ start, end, kind }))
}
