import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/db/engine/open.ts'
import { Secret } from '../../src/lib/secret.ts'
import { asAdmin, databaseUrl } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    template: string
  }
}

/** Migrates the template database that every test copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = project.config.env['TEST_DATABASE'] === 'postgres'
  const name = `pullpress_template_${randomBytes(6).toString('hex')}`
  const dataDir = postgres ? '' : await mkdtemp(join(tmpdir(), 'pullpress-template-'))
  if (postgres) await asAdmin(`create database ${name}`)
  const database = await openDatabase({
    databaseUrl: postgres ? new Secret(databaseUrl(name)) : undefined,
    dataDir,
    onConnectionError: console.error,
  })
  await database.migrate()
  await database.close()
  project.provide('template', postgres ? name : dataDir)
  return async () => {
    if (postgres) await dropAll(name)
    else await rm(dataDir, { recursive: true, force: true })
  }
}

/** Drops the template, and the copies that a worker did not drop before it ended. */
async function dropAll(template: string): Promise<void> {
  const left = await asAdmin(`select datname as name from pg_database where datname ~ '^${template}'`)
  for (const { name } of left as { name: string }[]) await asAdmin(`drop database if exists ${name} with (force)`)
}
