/** How many characters must be inserted, removed or replaced to turn one text into the other (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + Number(character !== b[j - 1]))
    row = next
  }
  return at(row, b.length)
}

function at(row: number[], index: number): number {
  return row[index] ?? 0
}
