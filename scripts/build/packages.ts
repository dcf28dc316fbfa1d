import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** Source maps, types, and extensions of the embedded database. */
const UNUSED = /\.(map|d\.[cm]?ts|tar\.gz)$/

/** Copies packages and what they depend on, each to its place below `folder`. */
export async function copyPackages(names: string[], root: string, folder: string): Promise<void> {
  const found = new Set<string>()
  for (const name of names) await addPackage(name, root, root, found)
  for (const path of found)
    await cp(path, join(folder, relative(root, path)), {
      recursive: true,
      // Nested packages are copied only if they are needed.
      filter: (file) => !UNUSED.test(file) && !relative(path, file).startsWith('node_modules'),
    })
}

async function addPackage(name: string, from: string, root: string, found: Set<string>): Promise<void> {
  const path = locate(name, from, root)
  if (found.has(path)) return
  found.add(path)
  const { dependencies = {} } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(dependencies)) await addPackage(dependency, path, root, found)
}

/** The folder of a package, as Node would find it from `from`. */
function locate(name: string, from: string, root: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(path)) return path
    if (relative(root, folder) === '') throw new Error(`There is no package ${name}.`)
  }
}
