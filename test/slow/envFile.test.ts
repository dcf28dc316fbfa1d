import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MAIN = process.env['TEST_MAIN'] ?? ''

test('names an .env file that cannot be read', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'pullpress-env-'))
  await mkdir(join(cwd, '.env'))
  const failure = await promisify(execFile)(process.execPath, [MAIN, '--check'], { cwd }).catch((error) => error)
  expect([failure.code, failure.stderr]).toEqual([
    1,
    `The configuration is not valid:\n  ${join(cwd, '.env')} cannot be read (EISDIR)\n`,
  ])
  await rm(cwd, { recursive: true })
})
