import { createHash } from 'node:crypto'
import { chown, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import { openEmbedded } from '../../src/db/engine/embedded.ts'
import { createTestDatabase } from '../support/database.ts'
import { defaultMain, startProcess } from '../support/process.ts'

test('only one process at a time can open a data folder, which can be opened again after closing', async () => {
  const { env, drop } = await createTestDatabase(inject('template'))
  const dataDir = env['DATA_DIR'] ?? ''
  const first = await openEmbedded(dataDir)
  await expect(openEmbedded(dataDir)).rejects.toThrow(`Another process has the embedded database in ${dataDir} open.`)
  await first.close()
  await (await openEmbedded(dataDir)).close()
  await drop()
})

test('root does not open the database of another user', async () => {
  const { env, drop } = await createTestDatabase(inject('template'))
  const dataDir = env['DATA_DIR'] ?? ''
  if (process.getuid?.() === 0) await chown(join(dataDir, 'pgdata'), 1, 1)
  const asRoot = vi.spyOn(process, 'getuid').mockReturnValue(0)
  await expect(openEmbedded(dataDir)).rejects.toThrow(/belongs to the user with id \d+\. Run this as that user/)
  asRoot.mockRestore()
  await drop()
})

test('a second process cannot open the data folder, but another can after the first process is killed', async () => {
  const database = await createTestDatabase(inject('template'))
  const first = await startProcess(database.env)
  const second = await startProcess(database.env, { expectExit: true })
  expect(second.exitCode).toBe(1)
  expect(second.output()).toContain('Another process has the embedded database')
  const keyFile = join(database.env['DATA_DIR'] ?? '', 'token-encryption-key')
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  await first.kill('SIGKILL')
  const key = await readFile(keyFile)
  await writeFile(keyFile, key.subarray(0, 20))
  const truncated = await startProcess(database.env, { expectExit: true })
  expect(truncated.output()).toContain('token-encryption-key does not contain a key')
  await writeFile(keyFile, key)
  const third = await startProcess(database.env)
  expect((await fetch(`${third.url}/readyz`)).status).toBe(200)
  await third.kill('SIGTERM')
  await database.drop()
})

test('refuses the data folder of version 0.1.0 without writing to it', async () => {
  const { env, drop } = await createTestDatabase(inject('template'))
  const dataDir = env['DATA_DIR'] ?? ''
  // Version 0.1.0 kept the database in this folder.
  await rename(join(dataDir, 'pgdata'), join(dataDir, 'postgres'))
  const before = await contentsOf(dataDir)
  const made = `The database in ${dataDir} was made by Pullpress 0.1.0 and cannot be upgraded.`
  const refusal = `${made} Nothing in it was changed. Set DATA_DIR to a new folder.\n`
  for (const [program, ...args] of [['main'], ['migrate'], ['admin', 'users']]) {
    const main = join(dirname(defaultMain), `${program}.js`)
    const { exitCode, output } = await startProcess(env, { expectExit: true, main, args })
    expect([program, exitCode, output()]).toEqual([program, 1, refusal])
  }
  const check = await startProcess(env, { expectExit: true, args: ['--check'] })
  expect([check.exitCode, check.output()]).toEqual([1, expect.stringContaining(made)])
  expect(await contentsOf(dataDir)).toEqual(before)
  await drop()
})

/** Everything in a folder: names, times and hashes of the contents. */
async function contentsOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const hash =
        entry.isFile() &&
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      return [path, (await stat(path)).mtimeMs, hash]
    }),
  )
}
