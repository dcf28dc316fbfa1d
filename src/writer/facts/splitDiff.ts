/** The sections of a diff, one per file, in the order of the files. */
export function splitDiff(diff: string): string[] {
  // Split only at line feeds, because the lines of a file may contain other line ends, such as carriage returns.
  const starts = [...`\n${diff}`.matchAll(/\ndiff --git /g)].map(({ index }) => index)
  return starts.map((start, i) => diff.slice(start, starts[i + 1]))
}
