import type { components } from '../../generated/api.ts'

type Evidence = components['schemas']['Evidence']

/** The page of an article shows all of them. */
const MAX_PER_CLAIM = 4

interface Cited {
  /** As `path:lines`, one for each file. */
  citations: string[]
  /** The URL of each cited file, without the lines and without `base`: a whole URL takes a hundred tokens. */
  files: [path: string, url: string][]
}

export function citationsOf(evidence: Evidence[], base: string): Cited {
  const cited = evidence.slice(0, MAX_PER_CLAIM)
  const places = Map.groupBy(cited, ({ path, side }) => (side === 'old' ? `${path} (old)` : path))
  return {
    citations: places
      .entries()
      .map(([place, ranges]) => [place, ranges.flatMap(linesOf).join(',')].filter(Boolean).join(':'))
      .toArray(),
    files: [...new Map(cited.map(({ path, url }) => [path, shortened(url, base)]))],
  }
}

function shortened(url: string, base: string): string {
  const ofFile = url.replace(/(#diff-[\da-f]+).*$/, '$1')
  return ofFile.startsWith(base) ? ofFile.slice(base.length) : ofFile
}

function linesOf({ startLine, endLine }: Evidence): string[] {
  if (startLine === null) return []
  return [endLine === null || endLine === startLine ? String(startLine) : `${startLine}-${endLine}`]
}
