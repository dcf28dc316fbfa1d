import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The official suite: the current version, and a preview of the next one. */
export type Suite = 'conformance' | 'conformance-next'

/** The result of one check. Its status is SKIPPED or INFO if the suite could not check anything. */
export interface Check {
  scenario: string
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

const TIMEOUT_MS = 120_000
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
const SUITES = new URL('../node_modules/', import.meta.url)
/** The name of the folder with the results of a scenario contains the name of the scenario and the time. */
const FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/

/** Runs all server scenarios for a revision of the protocol, and returns their checks. */
export async function runScenarios(suite: Suite, revision: string, url: string): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    const main = new URL(`${suite}/dist/index.js`, SUITES).pathname
    const options = ['--url', url, '--suite', 'all', '--spec-version', revision, '--output-dir', folder]
    await run(process.execPath, [main, 'server', ...options])
    const names = await readdir(folder)
    return (await Promise.all(names.sort().map((name) => checksIn(folder, name)))).flat()
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Runs the suite, which exits with 1 if a scenario failed. */
async function run(file: string, args: string[]): Promise<void> {
  const limits = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES }
  await promisify(execFile)(file, args, limits).catch((error: { code?: unknown }) => {
    if (error.code !== 1) throw error
  })
}

async function checksIn(folder: string, name: string): Promise<Check[]> {
  const scenario = FOLDER.exec(name)?.[1]
  if (scenario === undefined) throw new Error(`The folder ${name} is not that of a scenario.`)
  const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Omit<Check, 'scenario'>[]
  return checks.map(({ id, status, errorMessage = '' }) => ({ scenario, id, status, errorMessage }))
}
