import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { check } from '../../src/runtime/diagnose/check.ts'
import { table } from '../../src/runtime/diagnose/table.ts'
import { createClient } from '../support/client.ts'
import { asAdmin, createTestDatabase, databaseUrl } from '../support/database.ts'
import { startFakeIssuer } from '../support/fakeIssuer.ts'
import { behaves, startFakeModel } from '../support/fakeModel.ts'
import { freePort, startProcess } from '../support/process.ts'

const MAIN = process.env['TEST_MAIN'] ?? ''

const [host, model, issuer] = await Promise.all([startFakeHost(), startFakeModel(), startFakeIssuer()])
const database = await createTestDatabase(inject('template'))
const name = `pullpress_check_${randomBytes(6).toString('hex')}`
await asAdmin(`create database ${name}`)
await asAdmin(`create role ${name} login password 'sesame'`)
const [free, closed] = [await freePort(), await freePort()]
/** Accepts connections and never answers. */
const silent = createServer().listen(0, '127.0.0.1')
await once(silent, 'listening')
const silentPort = (silent.address() as AddressInfo).port
const newer = await createTestDatabase(inject('template'))
await asAdmin("insert into kysely_migration values ('9999_later', '2099-01-01T00:00:00Z')", newer.env['DATABASE_URL'])
const former = await createTestDatabase(inject('template'))
await asAdmin("insert into kysely_migration values ('0001_accounts_and_favorites', '')", former.env['DATABASE_URL'])
const healthy = {
  ...database.env,
  ...model.env,
  PORT: String(free),
  CODE_HOST_API_URL: host.url,
  CODE_HOST_TOKEN: host.token('pullpress'),
  PUBLIC_URL: 'https://pullpress.example.com',
  TRUSTED_PROXIES: '10.0.0.0/8',
  SIGN_UP: 'organizations:acme,logins:hanako',
}
afterAll(async () => {
  await asAdmin(`drop database ${name}`)
  await asAdmin(`drop role ${name}`)
  await database.drop()
  await newer.drop()
  await former.drop()
  silent.close()
  await Promise.all([host.close(), model.close(), issuer.close()])
})

/** Runs the check as operators do. */
async function runCheck(env: Record<string, string>, ...args: string[]) {
  const { promise, resolve } = Promise.withResolvers<{ exitCode: number; output: string }>()
  const child = execFile(
    process.execPath,
    [MAIN, ...(args.length > 0 ? args : ['--check'])],
    { env: { PATH: process.env['PATH'] ?? '', ...env } },
    (_, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr }),
  )
  return promise
}

function withUser(url: string, user: string): string {
  const changed = new URL(url)
  changed.username = user
  return changed.href
}

test('reports that everything works and exits with 0 if nothing is wrong', async () => {
  const { exitCode, output } = await runCheck(healthy)
  expect(output).toMatch(/^configuration +ok +All variables are valid\.$/m)
  expect(output).toMatch(/^port +ok +127\.0\.0\.1:\d+ is free\.$/m)
  expect(output).toMatch(/^public URL +ok +https:\/\/pullpress\.example\.com$/m)
  expect(output).toMatch(/^database +ok +Postgres \d\S+.*, the schema is up to date\.$/m)
  expect(output).toMatch(/^encryption key +ok /m)
  expect(output).toMatch(/^code host +ok .* accepts the token of pullpress\.$/m)
  expect(output).toMatch(
    /^model +ok +fake-model answers, in \d+\.\d s: strict schema yes, streaming yes, token counts yes\.$/m,
  )
  expect(output).toContain('The service can start.')
  expect(exitCode).toBe(0)
})

test.each([
  [
    'a database that does not exist',
    { DATABASE_URL: databaseUrl('none') },
    /^database +FAILED .*\n.*Create the database/m,
  ],
  [
    'a Postgres that is down',
    { DATABASE_URL: `postgres://me:sesame@127.0.0.1:${closed}/db` },
    /^database +FAILED .*ECONNREFUSED.*\n.*Start Postgres/m,
  ],
  [
    'a role without rights',
    { DATABASE_URL: withUser(databaseUrl(name), name) },
    /^database +FAILED .*may not create tables.*\n.*the owner of the database/m,
  ],
  [
    'an empty database',
    { DATABASE_URL: databaseUrl(name) },
    /^database +ok .*\d+ migrations will run at the next start/m,
  ],
  [
    'a database of a newer version',
    { DATABASE_URL: newer.env['DATABASE_URL'] ?? '' },
    /^database +FAILED .*newer version.*9999_later.*\n.*restore the backup/m,
  ],
  [
    'a database of version 0.1.0',
    { DATABASE_URL: former.env['DATABASE_URL'] ?? '' },
    /^database +FAILED .*made by Pullpress 0\.1\.0 and cannot be upgraded\.\n.*Set DATABASE_URL to a new database\./m,
  ],
  [
    'a Postgres that does not answer',
    { DATABASE_URL: `postgres://me:sesame@127.0.0.1:${silentPort}/db` },
    /^database +FAILED .*\n.*firewall/m,
  ],
  [
    'an unknown database host',
    { DATABASE_URL: 'postgres://me:sesame@none.invalid/db' },
    /^database +FAILED .*ENOTFOUND.*\n.*%2F/m,
  ],
  [
    'another database for migrations',
    { MIGRATIONS_DATABASE_URL: databaseUrl(name) },
    /^migrations +FAILED .*\n.*MIGRATIONS_DATABASE_URL/m,
  ],
  [
    'a database for migrations that is down',
    { MIGRATIONS_DATABASE_URL: `postgres://me:sesame@127.0.0.1:${closed}/db` },
    /^migrations +FAILED .*ECONNREFUSED.*\n.*MIGRATIONS_DATABASE_URL/m,
  ],
  [
    'the same database for migrations at another address',
    { MIGRATIONS_DATABASE_URL: (database.env['DATABASE_URL'] ?? '').replace('127.0.0.1', 'localhost') },
    /^migrations +ok /m,
  ],
  [
    'the same address for migrations',
    { MIGRATIONS_DATABASE_URL: database.env['DATABASE_URL'] ?? '' },
    /^migrations +note .*same address.*\n.*Unset it/m,
  ],
  [
    'a port that another program uses',
    { PORT: String(silentPort) },
    /^port +FAILED .*in use by another program.*\n.*PORT or ADDRESS/m,
  ],
  [
    'one port for two things',
    { METRICS_PORT: String(free) },
    /^configuration +FAILED +METRICS_PORT must differ from PORT/m,
  ],
  [
    'a PUBLIC_URL with a path',
    { PUBLIC_URL: 'https://example.com/press' },
    /^configuration +FAILED +PUBLIC_URL must have no path/m,
  ],
  [
    'automatic articles without a token',
    { AUTOMATIC_ARTICLES: 'on', CODE_HOST_TOKEN: '' },
    /^automatic articles +note .*\n.*Set CODE_HOST_TOKEN/m,
  ],
  [
    'a code host that is down',
    { CODE_HOST_API_URL: `http://127.0.0.1:${closed}` },
    /^code host +FAILED .*did not answer.*\n.*CODE_HOST_API_URL/m,
  ],
  ['a refused token', { CODE_HOST_TOKEN: 'sesame' }, /^code host +FAILED .*refuses CODE_HOST_TOKEN.*\n.*new token/m],
  ['no token', { CODE_HOST_TOKEN: '' }, /^code host +note .*anonymous.*\n.*Set CODE_HOST_TOKEN/m],
  [
    'a model server that is down',
    { OPENAI_BASE_URL: `http://127.0.0.1:${closed}/v1` },
    /^model +FAILED .*did not answer.*\n.*OPENAI_BASE_URL/m,
  ],
  ['no model', { OPENAI_API_KEY: '' }, /^model +note +None: articles are outlines\.\n.*OPENAI_API_KEY/m],
  [
    'a Redis that does not answer',
    { REDIS_URL: `redis://127.0.0.1:${silentPort}` },
    /^Redis +FAILED .*did not answer.*\n.*REDIS_URL/m,
  ],
  [
    'a Redis password with a lone percent sign',
    { REDIS_URL: 'redis://:ses%ame@127.0.0.1' },
    /^configuration +FAILED +REDIS_URL must have .*percent-encoded/m,
  ],
  [
    'an embedded database in folders that do not exist yet',
    { DATABASE_URL: '', DATA_DIR: join(tmpdir(), crypto.randomUUID(), 'two', 'three') },
    /^database +note +Embedded, in .*three\./m,
  ],
  ['a Redis that is down', { REDIS_URL: `redis://127.0.0.1:${closed}` }, /^Redis +FAILED .*\n.*REDIS_URL/m],
  [
    'an issuer that is down',
    { OIDC_ISSUER: `http://127.0.0.1:${closed}`, OIDC_AUDIENCE: 'us' },
    /^token issuer +FAILED .*\n.*OIDC_ISSUER/m,
  ],
  ['an issuer', issuer.env, /^token issuer +ok .*publishes 2 keys/m],
  ['some who may sign up', {}, /^sign-up +ok +Only these may sign up: members of acme; the user hanako\.$/m],
  ['nobody who may sign up', { SIGN_UP: '' }, /^sign-up +note +Nobody new may sign up\. .*\n.*logins:<your login>/m],
  ['no PUBLIC_URL', { PUBLIC_URL: '' }, /^public URL +note .*\n.*Set PUBLIC_URL/m],
  ['no TRUSTED_PROXIES', { TRUSTED_PROXIES: '' }, /^public URL +note .*\n.*Set TRUSTED_PROXIES/m],
  [
    'a model with a price',
    { MODEL_PRICES_PER_MILLION_TOKENS: '2,10' },
    /^spending +ok +MODEL_TOKENS_PER_DAY allows 2,000,000 tokens .*, at most 20\.00 a day and 620\.00 a month\.\n.*ARTICLE_QUOTA_PER_DAY allows a user 20 articles a day, at most 8\.00 each\.$/m,
  ],
  [
    'a model without a price',
    { OPENAI_FALLBACK_MODEL: 'second', MODEL_PRICES_PER_MILLION_TOKENS: '2,10' },
    /^spending +note +What second costs is unknown\.\n.*Set MODEL_PRICES_PER_MILLION_TOKENS/m,
  ],
  [
    'a misspelt variable',
    { MODEL_TOKEN_PER_DAY: 'sesame' },
    /^configuration +note +MODEL_TOKEN_PER_DAY .* nearest one is MODEL_TOKENS_PER_DAY\.\n.*Correct the name/m,
  ],
  ['an invalid variable', { OPENAI_BASE_URL: 'sesame' }, /^configuration +FAILED +OPENAI_BASE_URL must be an http/m],
])('says what to do about %s', async (_, env, line) => {
  const output = table(await check({ ...healthy, ...env }))
  expect(output).toMatch(line)
  expect(output).not.toContain('sesame')
})

test.each([
  [401, 'Correct OPENAI_API_KEY.'],
  [404, 'Correct OPENAI_MODEL'],
  [429, 'Raise the quota'],
])('says what to do about a model server that responds with status %i', async (status, remedy) => {
  model.always(behaves.status(status))
  const output = table(await check(healthy))
  expect(output).toMatch(new RegExp(`^model +FAILED .*answered ${status}.*\\n.*${remedy}`, 'm'))
  expect(output).not.toContain(model.env.OPENAI_API_KEY)
  model.always(undefined)
})

test('reports tokens that were encrypted with another key, and a port that Pullpress itself uses', async () => {
  const { PORT: _, ...env } = healthy
  const server = await startProcess(env)
  const token = host.token('hanako')
  const client = createClient(server.url)
  expect((await client.call('signUp', { token })).status).toBe(201)
  const saved = await client.call('saveHostToken', { token, body: { hostAccessToken: token } })
  expect(saved.status).toBe(200)
  const other = { TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const { exitCode, output } = await runCheck({ ...healthy, ...other, PORT: String(server.port) })
  expect(output).toMatch(/^encryption key +FAILED +1 stored tokens .*\n.*Add that key to TOKEN_ENCRYPTION_KEY/m)
  expect(output).toMatch(/^port +note .*in use by Pullpress\.\n.*if it is the same deployment/m)
  expect(exitCode).toBe(1)
  await server.kill('SIGTERM')
})

test('refuses unknown arguments', async () => {
  expect(await runCheck(healthy, '--chek')).toMatchObject({ exitCode: 2, output: expect.stringContaining("'--chek'") })
})
