import { readFileSync } from 'node:fs'

/** The root of the project. This folder and that of the bundle are both directly below it, so `../` works in both. */
const ROOT = new URL('../', import.meta.url)

/** `path` is relative to the root of the project. */
export function readProjectFile(path: string): Buffer {
  return readFileSync(new URL(path, ROOT))
}
