import type { components } from '../../generated/api.ts'

type Evidence = components['schemas']['Evidence']

/** A file that an answer cites. Its URL is written once, because it takes a hundred tokens. */
export interface CitedFile {
  path: string
  url: string
}

/** The page of an article shows all of them. */
const MAX_PER_CLAIM = 4

export interface Cited {
  /** As `path:lines`. */
  citations: string[]
  files: CitedFile[]
}

export function citationsOf(evidence: Evidence[]): Cited {
  const cited = evidence.slice(0, MAX_PER_CLAIM)
  return {
    citations: cited.map(({ path, side, startLine, endLine }) => {
      if (startLine === null) return path
      const lines = endLine === null || endLine === startLine ? startLine : `${startLine}-${endLine}`
      return `${path}:${lines}${side === 'old' ? ' (old)' : ''}`
    }),
    files: cited.map(({ path, url }) => ({ path, url: url.replace(/(#diff-[\da-f]+).*$/, '$1') })),
  }
}
