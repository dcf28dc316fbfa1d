import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { components } from '../../generated/api.ts'
import { operations } from '../../generated/operations.ts'
import { operationIds, violations } from '../support/contract.ts'
import { freePort } from '../support/process.ts'

type Schemas = components['schemas']

const root = join(import.meta.dirname, '../..')
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const prism = join(root, 'node_modules/.bin/prism')
const mock = spawn(prism, ['mock', '--port', String(port), 'openapi.yaml'], { cwd: root, stdio: 'ignore' })

beforeAll(async () => {
  const deadline = Date.now() + 30_000
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))) {
    if (Date.now() > deadline) throw new Error('The mock did not start.')
    await sleep(100)
  }
})
afterAll(async () => {
  mock.kill()
  await once(mock, 'exit')
})

const bodies: Record<string, object> = {
  createToken: { name: 'Mine', scopes: ['read'] },
  saveHostToken: { hostAccessToken: 'host_pat_EXAMPLE' },
  updateCurrentUser: { language: 'en' },
  registerFavorite: { owner: 'pallets', repo: 'flask' },
  addFavorite: { owner: 'pallets', repo: 'flask' },
  updateFavorite: { automaticArticles: 'everything' },
  reportMistake: { description: 'Wrong.' },
  receiveWebhook: { action: 'closed', repository: { id: 596892 } },
}

/** Required query parameters of operations. */
const queries: Record<string, string> = { searchHostRepositories: '?q=flask' }

test.each(operationIds)('the mock returns every declared status of %s', async (operationId) => {
  const { method, path, statuses, body } = operations[operationId]
  const filled = path
    .replace('{owner}/{repo}', 'pallets/flask')
    .replace('{number}', '5829')
    .replace('{langCode}', 'ja')
    .replace(/{(sessionId|tokenId|articleId|jobId)}/, '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a01')
  const ask = (prefer = '') =>
    fetch(`${url}${filled}${queries[operationId] ?? ''}`, {
      method,
      headers: {
        authorization: 'Bearer anything',
        ...(body === 'required' && { 'content-type': 'application/json' }),
        ...(prefer && { prefer }),
      },
      ...(body === 'required' && { body: JSON.stringify(bodies[operationId]) }),
    })
  for (const status of statuses) {
    const answer = await ask(`code=${status}`)
    expect(answer.status).toBe(status)
    if (status >= 400) expect(violations('#/components/schemas/Failure', await answer.json())).toEqual([])
  }
  expect((await ask()).status).toBeLessThan(300)
})

test('the mock returns an article in one language with the cited lines', async () => {
  const answer = await fetch(`${url}/repos/pallets/flask/pulls/5829/article?language=ja&evidenceLines=true`, {
    headers: { prefer: 'example=evidenceLines' },
  })
  const { data } = (await answer.json()) as Schemas['ArticleResponse']
  expect(data.contents['ja']?.lead?.evidence[0]?.lines?.map(({ change }) => change)).toEqual([
    'kept',
    'removed',
    'added',
  ])
})

const example = async (path: string, name: string) => {
  const answer = await fetch(url + path, { headers: { authorization: 'Bearer anything', prefer: `example=${name}` } })
  expect(answer.status, `${path} ${name}`).toBe(200)
  return ((await answer.json()) as { data: unknown }).data
}

test('the mock returns articles of several kinds', async () => {
  const article = async (name: string) => {
    const data = (await example('/repos/pallets/flask/pulls/5829/article', name)) as Schemas['PullRequestArticle']
    return Object.values(data.contents)[0] as Schemas['ArticleContent']
  }
  const long = await article('long')
  const figures = long.mainChanges.flatMap((change) => change.figures.map(({ kind }) => kind))
  expect(new Set(figures)).toEqual(new Set(['code', 'table', 'example']))
  for (const part of [long.notablePoints, long.mismatches, long.terms]) expect(part.length).toBeGreaterThan(0)
  const { contents } = (await example(
    '/articles/0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a30',
    'bilingual',
  )) as Schemas['PullRequestArticle']
  expect(Object.keys(contents)).toEqual(['en', 'ja'])
  expect((await article('outline')).generator.kind).toBe('outline')
  expect((await article('stale')).stale).toBe(true)
})

const PAGES = [
  ...['/users/me/favorite-repositories', '/users/me/liked-articles', '/users/me/article-jobs', '/users/me/feed'],
  ...['/ranking/articles/likes', '/articles', '/repos', '/repos/pallets/flask/pulls', '/repos/pallets/flask/merges'],
  '/host/repositories?q=a',
]

test.each(PAGES)('the mock returns empty and full pages of %s', async (path) => {
  const page = async (name: string) => ((await example(path, name)) as { data: object[] }).data
  expect(await page('empty')).toEqual([])
  expect((await page('many')).length).toBeGreaterThan(3)
})

test('the mock returns several sessions, and a ranking for each kind of caller', async () => {
  expect(((await example('/auth/sessions', 'many')) as object[]).length).toBeGreaterThan(3)
  const liked = async (name: string) =>
    ((await example('/ranking/articles/likes', name)) as Schemas['RankingPage']).data.map((row) => row.liked)
  for (const name of ['ranking', 'many']) expect(new Set(await liked(name))).toEqual(new Set([null]))
  expect(new Set(await liked('signedIn'))).toEqual(new Set([true, false]))
})

test('the mock shows jobs in every state, and has requests left', async () => {
  const path = '/article-jobs/0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a31'
  const stages: [string, string][] = []
  for (const name of ['queued', 'reading', 'writing', 'checking', 'written', 'failed']) {
    const { status, stage } = (await example(path, name)) as Schemas['ArticleJob']
    stages.push([status, stage])
  }
  expect(stages.map(([status]) => status)).toEqual(['queued', ...Array(3).fill('running'), 'succeeded', 'failed'])
  expect(stages.slice(0, 4).map(([, stage]) => stage)).toEqual(['queued', 'reading', 'writing', 'checking'])
  const { headers } = await fetch(url + path, { headers: { authorization: 'Bearer anything' } })
  expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThan(1000)
  const missing = { headers: { prefer: 'code=404, example=noArticle' } }
  expect((await fetch(`${url}/articles/0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a30`, missing)).status).toBe(404)
})

test('the mock requires a token, as the service does', async () => {
  expect((await fetch(`${url}/users/me`)).status).toBe(401)
})
