import type { StoredContent } from '../../writer/content.ts'
import { fileFilter, issueFilter } from './filters.ts'

/** Index entries for the files and issues that a text is about. Related texts have some of them in common. */
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
