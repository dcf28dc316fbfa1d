import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { holding } from '../support/fakeModel.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const folder = join(root, '.cache/clients')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const service = await startWritingService()
afterAll(() => service.close())

/** Code that uses each client. `use` returns what it received. */
const uses = {
  sdk: `
import { createClient } from './client/index.js'
import * as api from './index.js'
export function follow(baseUrl: string, auth: string, jobId: string, signal?: AbortSignal, fetch?: typeof globalThis.fetch) {
  const jobs: AsyncIterable<api.ArticleJob> = api.followArticleJob({ client: createClient({ baseUrl, auth, fetch }), path: { jobId }, signal })
  return jobs
}
export async function use(baseUrl: string, auth: string) {
  const client = createClient({ baseUrl, auth })
  const user = await api.signUp({ client, body: { language: 'en' } })
  const again = await api.signUp({ client })
  const created = await api.registerFavorite({ client, body: { owner: 'acme', repo: 'shop' } })
  const list = await api.listFavorites({ client, query: { limit: 5 } })
  const left = await api.deleteCurrentUser({ client })
  const names: string[] | undefined = list.data?.data.data.map((favorite) => favorite.repositoryFullName)
  return [user.data?.hostUsername, again.error && again.error.error.code, created.response?.status, names, left.response?.status]
}`,
  oazapfts: `
import * as api from './api.js'
export async function use(baseUrl: string, token: string) {
  const options = { baseUrl, headers: { authorization: 'Bearer ' + token } }
  const user = await api.signUp({ language: 'en' }, options)
  const again = await api.signUp(undefined, options)
  const created = await api.registerFavorite({ owner: 'acme', repo: 'shop' }, options)
  const list = await api.listFavorites({ limit: 5 }, options)
  const left = await api.deleteCurrentUser(options)
  const names: string[] | undefined =
    list.status === 200 ? list.data.data.data.map((favorite) => favorite.repositoryFullName) : undefined
  return [
    user.status === 201 ? user.data.hostUsername : undefined,
    again.status === 409 ? again.data.error.code : undefined,
    created.status,
    names,
    left.status,
  ]
}`,
  'swagger-typescript-api': `
import { Api, type Failure } from './api.js'
export async function use(baseUrl: string, token: string) {
  const api = new Api({ baseUrl, baseApiParams: { headers: { authorization: 'Bearer ' + token }, format: 'json' } })
  const user = await api.auth.signUp({ language: 'en' })
  const code = await api.auth.signUp({}).catch((failed: { error: Failure }) => failed.error.error.code)
  const created = await api.users.registerFavorite({ owner: 'acme', repo: 'shop' })
  const list = await api.users.listFavorites({ limit: 5 })
  const left = await api.users.deleteCurrentUser({ format: undefined })
  const names: string[] = list.data.data.data.map((favorite) => favorite.repositoryFullName)
  return [user.data.hostUsername, code, created.status, names, left.status]
}`,
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'oazapfts'), { recursive: true })
  const contract = join(root, 'openapi.yaml')
  await run('npm', ['run', 'sdk', '--', join(folder, 'sdk')], { cwd: root })
  await run(bin('oazapfts'), [contract, join(folder, 'oazapfts/api.ts')], { cwd: root })
  await run(
    bin('swagger-typescript-api'),
    [
      'generate',
      '--path',
      contract,
      '--output',
      join(folder, 'swagger-typescript-api'),
      '--name',
      'api.ts',
      '--silent',
    ],
    { cwd: root },
  )
  for (const [name, code] of Object.entries(uses)) await writeFile(join(folder, name, 'use.ts'), code)
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
  }
  const config = {
    compilerOptions: { ...options, lib: ['es2024', 'dom', 'dom.iterable'], types: [] },
    include: ['*/use.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
})

test('does not write the SDK into a folder with other files', async () => {
  const precious = join(folder, 'precious')
  await mkdir(precious)
  await writeFile(join(precious, 'mine.txt'), 'mine')
  const refused = await run('npm', ['run', 'sdk', '--', precious], { cwd: root }).catch((error) => error)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('holds other files')])
  expect(await readdir(precious)).toEqual(['mine.txt'])
})

test('no type of the SDK has the name of a global or of another type', async () => {
  const libraries = ['es5', 'es2015.generator', 'es2015.iterable', 'es2015.promise', 'dom']
  const declarations = libraries.map((name) =>
    readFile(join(root, `node_modules/typescript/lib/lib.${name}.d.ts`), 'utf8'),
  )
  const namesIn = (text: string) =>
    [...text.matchAll(/^(?:export |declare )?(?:type|interface|var) (\w+)/gm)].map(([, name]) => name)
  const globals = new Set(namesIn((await Promise.all(declarations)).join('\n')))
  expect(globals).toContain('Generator')
  const exported = namesIn(await readFile(join(folder, 'sdk/types.gen.ts'), 'utf8'))
  expect(exported).toContain('ArticleGenerator')
  // The generator appends a number to a name that is taken.
  expect(exported.filter((name = '') => globals.has(name) || /\d$/.test(name))).toEqual([])
})

test('every client, with code that uses it, compiles with the strict option of TypeScript', async () => {
  const { stdout } = await run(bin('tsc'), ['-p', folder], { cwd: root }).catch((error) => error)
  expect(stdout).toBe('')
})

test.each(Object.keys(uses))('the client of %s works with the running server', async (name) => {
  service.host.repository({ id: 1, owner: 'acme', name: 'shop' })
  const token = service.host.token(`user-of-${name}`)
  const { use } = await import(join(folder, name, 'use.ts'))
  expect(await use(service.url, token)).toEqual([`user-of-${name}`, 'USER_ALREADY_EXISTS', 201, ['acme/shop'], 204])
})

type Job = { status: string; stage: string; articleId: string | null }
type Follow = (...options: unknown[]) => AsyncIterable<Job>

/** Starts a job that runs until `release` is called. `jobs` follows this job with the SDK. */
async function heldJob() {
  const token = service.host.token('follower')
  await service.call('signUp', { token })
  const { held, release } = holding()
  service.model.next(held)
  const { body } = await articlesOf(service).generate(aPull(service), token, {}, { prefer: 'respond-async' })
  const { follow }: { follow: Follow } = await import(join(folder, 'sdk/use.ts'))
  const jobs = (signal?: AbortSignal, fetch?: typeof globalThis.fetch, id = body.data.id) =>
    follow(service.url, token, id, signal, fetch)
  return { jobs, release }
}

test('the SDK follows a job until it has ended', async () => {
  const { jobs, release } = await heldJob()
  const seen: string[] = []
  let last: Job | undefined
  for await (const job of jobs()) {
    if (job.stage === 'writing') release()
    seen.push(JSON.stringify(job))
    last = job
  }
  expect(last).toMatchObject({ status: 'succeeded', articleId: expect.any(String) })
  expect(seen.length).toBeGreaterThan(1)
  expect(new Set(seen).size).toBe(seen.length)
  for await (const job of jobs()) expect(job).toEqual(last)
})

test('the SDK continues to follow a job after its stream breaks off', async () => {
  const { jobs, release } = await heldJob()
  let streams = 0
  const breaking: typeof fetch = async (input, init) => {
    const isStream = input instanceof Request && input.headers.get('accept') === 'text/event-stream'
    if (!isStream || ++streams > 1) return fetch(input, init)
    release()
    return new Response('retry: 2000\n\n')
  }
  const statuses: string[] = []
  for await (const { status } of jobs(undefined, breaking)) statuses.push(status)
  expect(statuses.at(-1)).toBe('succeeded')
})

test('the SDK stops following a job when the caller aborts or the job cannot be read', async () => {
  const { jobs, release } = await heldJob()
  const abort = new AbortController()
  const following = async () => {
    for await (const job of jobs(abort.signal)) if (job.stage === 'writing') abort.abort()
  }
  await expect(following()).rejects.toMatchObject({ name: 'AbortError' })
  for await (const _ of jobs()) break
  const unknown = async () => {
    for await (const _ of jobs(undefined, undefined, crypto.randomUUID()));
  }
  await expect(unknown()).rejects.toMatchObject({ error: { code: 'NOT_FOUND' } })
  release()
})
