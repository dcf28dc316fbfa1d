import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const demo = join(import.meta.dirname, '../scripts/demo.ts')

test('the demo writes an article about each of its pull requests, prints one and ends', async () => {
  const { stdout } = await run(process.execPath, [demo, '--once', '--language', 'en'], {
    env: { PATH: process.env['PATH'] ?? '' },
  })
  expect(stdout.match(/^✓ /gm)).toHaveLength(6)
  expect(stdout).toContain('Main changes')
  expect(stdout).toMatch(/Read 4 of 5 files; skipped: go\.sum \(lockFile\)/)
})
