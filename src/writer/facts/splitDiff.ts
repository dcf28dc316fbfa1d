/** The sections of a diff, one per file, in the order of the files. */
export function splitDiff(diff: string): string[] {
  // Only a line feed ends a line of a diff: lines of a file may hold other line ends.
  const starts = [...`\n${diff}`.matchAll(/\ndiff --git /g)].map(({ index }) => index)
  return starts.map((start, i) => diff.slice(start, starts[i + 1]))
}
