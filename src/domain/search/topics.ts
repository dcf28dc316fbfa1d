import type { StoredContent } from '../../writer/content.ts'
import { fileFilter, issueFilter } from './filters.ts'

/** Entries of the index for what a text is about: related texts share some. */
export interface Topics {
  files: string[]
  issues: string[]
}

export function topicsOf(hostRepoId: number, { mainChanges, reasons }: StoredContent): Topics {
  const issues = (reasons ?? []).flatMap(({ sources }) => sources).filter(({ kind }) => kind === 'issue')
  return {
    files: distinct(mainChanges.map(({ fileName }) => fileFilter(hostRepoId, fileName))),
    issues: distinct(issues.map(({ url }) => issueFilter(url))),
  }
}

function distinct(entries: string[]): string[] {
  return [...new Set(entries)]
}
