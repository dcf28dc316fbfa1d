import { readFileSync } from 'node:fs'

/** The bundle's folder is directly below the root too, so this holds for both. */
const ROOT = new URL('../', import.meta.url)

/** `path` is relative to the root of the project. */
export function readProjectFile(path: string): Buffer {
  return readFileSync(new URL(path, ROOT))
}
