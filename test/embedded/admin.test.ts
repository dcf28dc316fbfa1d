import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const program = join(dirname(process.env['TEST_MAIN'] ?? ''), 'admin.js')
const service = await startService()
afterAll(() => service.close())

test('the admin command says that a running service has the embedded database open', async () => {
  const env = { PATH: process.env['PATH'] ?? '', ...service.database.env }
  const { code, stderr } = await promisify(execFile)(process.execPath, [program, 'users'], { env }).catch(
    (error) => error,
  )
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  expect(stderr).toContain('Another process has the embedded database')
})

test('the admin command fails and creates no database if there is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-'))
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder }
  const { code, stderr } = await promisify(execFile)(process.execPath, [program, 'users'], { env }).catch(
    (error) => error,
  )
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  expect(stderr).toContain('DATABASE_URL is unset')
  expect(await readdir(folder)).toEqual([])
  await rmdir(folder)
})
