import { readFileSync } from 'node:fs'

/** The root of the project. The bundle's folder is directly below it, like this one, so the path fits both. */
const ROOT = new URL('../', import.meta.url)

/** `path` is relative to the root of the project. */
export function readProjectFile(path: string): Buffer {
  return readFileSync(new URL(path, ROOT))
}
