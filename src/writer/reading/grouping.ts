import type { ChangedFile } from './changedFiles.ts'
import type { RenderedFile } from './render.ts'

/** Folders that separate tests from the code they test. */
const SIDE_FOLDERS = /^(src|lib|source|tests?|__tests__|specs?|testing|e2e|fixtures|__fixtures__|testdata)$/i

/**
 * Puts documents first, because they tell what the rest is for; then folder by folder, code together with its tests.
 */
export function inReadingOrder<T extends { rendered: RenderedFile }>(files: T[]): T[] {
  const documents = files.filter(({ rendered }) => rendered.file.kind === 'docs')
  const others = files.filter(({ rendered }) => rendered.file.kind !== 'docs')
  const groups = Map.groupBy(others, ({ rendered }) => groupOf(rendered.file))
  return [...documents, ...[...groups.values()].flat()]
}

function groupOf({ name }: ChangedFile): string {
  const folders = name.split('/').slice(0, -1)
  return folders.filter((folder) => !SIDE_FOLDERS.test(folder)).join('/')
}
