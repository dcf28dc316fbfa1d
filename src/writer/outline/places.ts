import type { ChangedFile } from '../reading/changedFiles.ts'
import type { FileKind } from '../reading/kinds.ts'
import { purposeOf } from './paths.ts'
import { pathCode } from './text.ts'

/** Where most of a change is. Paths are code spans. */
export type Place =
  | { in: 'file'; path: string }
  | { in: 'folder'; path: string }
  | { in: 'folders'; folders: { path: string; files: number }[] }
  | { in: 'mostChanged'; kind: FileKind; path: string }

const MAX_PATH = 60
/** If there are more important files than this, naming one of them would say little about the place. */
const MANY_FILES = 8
const MAX_FOLDERS = 2
const FOLDER_DEPTH = 2

/**
 * The only file; else the folder of all files, unless it is the root or a top-level folder; else, for many files, the
 * folders with the most files; else the most changed of the most important files.
 */
export function mainPlace(files: ChangedFile[], important: ChangedFile[]): Place | null {
  const [first] = important
  if (!first) return null
  if (files.length === 1) return { in: 'file', path: pathCode(first.name, MAX_PATH) }
  const common = commonFolder(files.map(({ name }) => name))
  if (common.includes('/')) return { in: 'folder', path: pathCode(common, MAX_PATH) }
  const folders = important.length > MANY_FILES ? foldersOf(important) : []
  if (folders.length > 0) return { in: 'folders', folders }
  return { in: 'mostChanged', kind: purposeOf(first), path: pathCode(first.name, MAX_PATH) }
}

function commonFolder([first = '', ...others]: string[]): string {
  let folder = first.slice(0, first.lastIndexOf('/') + 1)
  for (const path of others) while (!path.startsWith(folder)) folder = parentOf(folder)
  return folder.slice(0, -1)
}

/** The parent of a folder whose path ends in a slash. The path of the root is empty. */
function parentOf(folder: string): string {
  return folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
}

function foldersOf(files: ChangedFile[]) {
  const counts = new Map<string, number>()
  for (const { name } of files) {
    const folder = name
      .split('/', FOLDER_DEPTH + 1)
      .slice(0, -1)
      .slice(0, FOLDER_DEPTH)
      .join('/')
    if (folder !== '') counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const several = [...counts].filter(([, count]) => count > 1)
  const most = several.sort(([, a], [, b]) => b - a).slice(0, MAX_FOLDERS)
  return most.map(([path, count]) => ({ path: pathCode(path, MAX_PATH), files: count }))
}
