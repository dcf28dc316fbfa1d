import { readFileSync } from 'node:fs'

/** The packages of these tests have their own lock file, so `npm ci` in the root does not install them. */
const { dependencies } = read('package.json') as { dependencies: Record<string, string> }
const missing = Object.entries(dependencies).find(([name, version]) => !version.endsWith(installedVersion(name)))
if (missing) {
  console.error(`The referees are not installed (${missing.join(' ')}). Run: npm ci --prefix test/referees`)
  process.exit(1)
}

function installedVersion(name: string): string {
  try {
    return (read(`node_modules/${name}/package.json`) as { version: string }).version
  } catch {
    return 'none'
  }
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}
