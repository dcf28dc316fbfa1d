import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { openDatabase } from '../../src/db/engine/open.ts'
import { Secret } from '../../src/lib/secret.ts'
import { createClient } from '../support/client.ts'
import { asAdmin, databaseUrl } from '../support/database.ts'
import { startProcess } from '../support/process.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const migrations = 'src/db/migrations'
const LAST_OF_BASELINE = `${migrations}/0008_administration.ts`

const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()

/** The last commit before the newest migration; undefined in a shallow clone, or if none follows the baseline. */
async function commitBefore(): Promise<string | undefined> {
  if ((await git('rev-parse', '--is-shallow-repository').catch(() => 'true')) === 'true') return undefined
  const newest = (await git('ls-files', migrations)).split('\n').toSorted().at(-1) ?? ''
  if (newest <= LAST_OF_BASELINE) return undefined
  const added = await git('log', '--diff-filter=A', '--format=%H', '-1', '--', newest)
  return added ? git('rev-parse', `${added}^`) : undefined
}

const commit = await commitBefore()
if (!commit) console.log('Skipping the previous-version test: no git history, or no migration after the baseline.')

test.skipIf(!commit)(
  'the previous version keeps working after the current version has migrated the schema',
  {
    timeout: 120_000,
  },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pullpress-previous-'))
    const name = `pullpress_${randomBytes(6).toString('hex')}`
    const host = await startFakeHost()
    onTestFinished(async () => {
      await asAdmin(`drop database if exists ${name} with (force)`)
      await rm(folder, { recursive: true, force: true })
      await host.close()
    })
    await run('sh', ['-c', `git archive ${commit} | tar -x -C ${folder}`], { cwd: root })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await asAdmin(`create database ${name}`)
    const env = {
      DATABASE_URL: databaseUrl(name),
      CODE_HOST_API_URL: host.url,
      TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    }
    const previous = await startProcess(env, { main: join(folder, 'src/main.ts') })
    onTestFinished(async () => void (await previous.kill('SIGKILL')))

    const database = await openDatabase({
      databaseUrl: new Secret(env.DATABASE_URL),
      dataDir: '',
      onConnectionError: () => {},
    })
    expect((await database.migrate()).length).toBeGreaterThan(0)
    await database.close()
    const current = await startProcess(env)
    onTestFinished(async () => void (await current.kill('SIGKILL')))

    const files = [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }]
    const pull: FakePull = { number: 1, body: 'Fixes #2', labels: ['bug'], files }
    host.repository({ id: 1, owner: 'acme', name: 'shop', pulls: [pull], issues: [{ number: 2 }] })
    // Skips the contract check, because the previous version has a contract of its own.
    const before = createClient(previous.url, undefined, () => {})
    const now = createClient(current.url)
    const token = host.token('reader')
    const params = { owner: 'acme', repo: 'shop', number: '1' }
    expect((await before.call('signUp', { token })).status).toBe(201)
    expect((await before.call('registerFavorite', { token, body: { owner: 'acme', repo: 'shop' } })).status).toBe(201)
    const { status, body } = await before.call('generateArticle', { token, params })
    expect(status).toBe(200)
    const article = { token, params: { articleId: body.data.id } }
    expect((await now.call('getArticleById', article)).body.data).toMatchObject({ labels: ['bug'], merged: false })
    const fetched = await now.call('ingestPullRequest', { token, params })
    expect(fetched.body.data).toMatchObject({ labels: ['bug'], linkedIssues: [{ number: 2, closes: true }] })
    expect((await before.call('getPullRequest', { token, params })).status).toBe(200)
    Object.assign(pull, { title: 'Merged', mergedAt: '2026-02-01T00:00:00Z', updatedAt: '2026-02-01T00:00:00Z' })
    expect((await before.call('ingestPullRequest', { token, params })).body.data).toMatchObject({ merged: true })
    const updated = await now.call('getArticleById', article)
    expect(updated.body.data).toMatchObject({ title: 'Merged', labels: ['bug'], merged: true })
    const like = { token, params: { articleId: body.data.id, langCode: 'ja' } }
    expect((await before.call('likeArticle', like)).status).toBe(201)
    expect((await now.call('likeArticle', like)).status).toBe(200)
    // Polls because on a busy machine the ranking may be returned before the likes are counted.
    for (const node of [before, now])
      await expect
        .poll(async () => (await node.call('getArticleRanking', { token })).body.data.data)
        .toMatchObject([{ articleId: body.data.id, likeCount: 1, liked: true }])
    expect((await now.call('generateArticle', { token, params, body: { language: 'en' } })).status).toBe(200)
    expect((await before.call('getArticleById', article)).status).toBe(200)
    expect((await before.call('getReadiness', {})).status).toBe(200)
    expect((await now.call('logOut', { token })).status).toBe(200)
    expect((await before.call('getCurrentUser', { token })).status).toBe(401)
  },
)
