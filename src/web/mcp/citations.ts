import type { Evidence } from '../../writer/evidence.ts'

/** The page of an article shows all of them. */
const MAX_PER_CLAIM = 4

interface Cited {
  /** As `path:lines`, one for each file. */
  citations: string[]
  /** The end of the URL of each cited file, without the lines: a whole URL takes a hundred tokens. */
  files: [path: string, url: string][]
}

export function citationsOf(evidence: Evidence[]): Cited {
  const cited = evidence.slice(0, MAX_PER_CLAIM)
  const places = Map.groupBy(cited, ({ path, side }) => (side === 'old' ? `${path} (old)` : path))
  return {
    citations: places
      .entries()
      .map(([place, ranges]) => [place, ranges.flatMap(linesOf).join(',')].filter(Boolean).join(':'))
      .toArray(),
    files: [...new Map(cited.map(({ path, url }) => [path, endOf(url)]))],
  }
}

/** It depends only on the path: what precedes it changes when the repository is renamed. */
function endOf(url: string): string {
  return /#diff-[\da-f]+/.exec(url)?.[0] ?? url
}

function linesOf({ startLine, endLine }: Evidence): string[] {
  if (startLine === null) return []
  return [endLine === null || endLine === startLine ? String(startLine) : `${startLine}-${endLine}`]
}
