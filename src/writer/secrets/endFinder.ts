/**
 * Creates a function that returns the position of the next match of `terminator` (with the `g` flag) at or after a
 * given position, or the end of the text. Caches the last result, so that calls for all positions before a match cost
 * only one scan.
 */
export function endFinder(text: string, terminator: RegExp): (from: number) => number {
  let start = 0
  let end = -1
  return (from) => {
    if (from < start || from > end) {
      terminator.lastIndex = from
      start = from
      end = terminator.exec(text)?.index ?? text.length
    }
    return end
  }
}
