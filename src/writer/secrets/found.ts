/** Where a secret stands in a text, and what it is in plain words. */
export interface Found {
  start: number
  end: number
  kind: string
}

/** In the order of the text, none overlapping: of those that do, the first listed gives its kind to what all cover. */
export function merged(found: Found[]): Found[] {
  const ranked = found.map((one, rank) => ({ ...one, rank })).sort((a, b) => a.start - b.start || a.rank - b.rank)
  const apart: typeof ranked = []
  for (const one of ranked) {
    const last = apart.at(-1)
    if (!last || one.start >= last.end) {
      apart.push(one)
      continue
    }
    last.end = Math.max(last.end, one.end)
    if (one.rank < last.rank) Object.assign(last, { kind: one.kind, rank: one.rank })
  }
  return apart.map(({ start, end, kind }) => ({ start, end, kind }))
}
