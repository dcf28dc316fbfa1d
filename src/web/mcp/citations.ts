import type { Evidence } from '../../writer/evidence.ts'

/** Limit of citations per claim in an answer. The page of the article shows all of them. */
const MAX_PER_CLAIM = 4

interface Cited {
  /** As `path:lines`, one for each file. */
  citations: string[]
  /** Each cited path with the end of its URL, without the lines: a whole URL takes a hundred tokens. */
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

/** The end of a URL, which depends only on the path of the file; the rest changes when the repository is renamed. */
function endOf(url: string): string {
  return /#diff-[\da-f]+/.exec(url)?.[0] ?? url
}

function linesOf({ startLine, endLine }: Evidence): string[] {
  if (startLine === null) return []
  return [endLine === null || endLine === startLine ? String(startLine) : `${startLine}-${endLine}`]
}
