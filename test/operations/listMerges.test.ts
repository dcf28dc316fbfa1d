import { afterAll, expect, test } from 'vitest'
import { sweepInTurn } from '../../src/runtime/maintenance/sweeping.ts'
import { merged, startWatchingService } from '../support/merges.ts'
import { changed, repositoryOf } from '../support/pulls.ts'

const service = await startWatchingService()
afterAll(() => service.close())
const follower = await service.signedUp('follower')

const ask = (name: string, query: Record<string, string> = {}, token?: string) => {
  const [owner = '', repo = ''] = name.split('/')
  return service.call('listMerges', { params: { owner, repo }, query, token })
}

test('lists merged pull requests with their status, most recently merged first', async () => {
  const repository = repositoryOf(service, 'acme/listed', { pulls: [merged(1, 1)] })
  await service.favorite(follower, 'acme/listed')
  expect((await ask('acme/listed')).body.data).toMatchObject({ data: [], watching: { checkedAt: null } })
  await service.poll()
  repository.pulls?.push(merged(2, 200), merged(3, 201, { title: 'Tidy up', files: [changed('src/a.ts')] }))
  await service.pollDue()
  await service.settle()
  const { status, body } = await ask('acme/listed')
  expect([status, body.message]).toEqual([200, 'The merged pull requests.'])
  const { data, watching } = body.data
  expect(data.map(({ prNumber, status: state }: { prNumber: number; status: string }) => [prNumber, state])).toEqual([
    [3, 'skipped'],
    [2, 'written'],
    [1, 'skipped'],
  ])
  expect(data[0]).toMatchObject({
    repositoryFullName: 'acme/listed',
    hostPrUrl: 'https://host.example.com/acme/listed/pull/3',
    title: 'Tidy up',
    authorLogin: 'author',
    authorIsBot: false,
    earlier: false,
    reason: 'low_score',
    score: 6,
    factors: [{ name: 'sourceLines', points: 6, count: 2, text: '2 changed lines of source code' }],
    error: null,
    articleId: null,
  })
  expect(new Date(watching.nextCheckAt) > new Date(watching.checkedAt)).toBe(true)
})

test('pages by a cursor, and rejects invalid cursors and parameters', async () => {
  const name = 'acme/paged'
  repositoryOf(service, name, { pulls: Array.from({ length: 25 }, (_, i) => merged(i + 1, Math.floor(i / 3))) })
  await service.favorite(follower, name)
  await service.poll()
  const seen: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await ask(name, { limit: '10', ...(cursor && { cursor }) })
    seen.push(...body.data.data.map(({ prNumber }: { prNumber: number }) => prNumber))
    cursor = body.data.pagination.nextCursor
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => 25 - i))
  expect((await ask(name, { cursor: 'WzEsMl0x' })).status).toBe(400)
  expect((await ask(name, { state: 'written' })).status).toBe(400)
  expect((await ask(name, { status: 'unknown' })).status).toBe(400)
})

test('returns watching: null for unwatched repositories, and hides private ones from outsiders', async () => {
  repositoryOf(service, 'acme/unwatched')
  expect((await ask('acme/unwatched')).status).toBe(404)
  expect((await ask('acme/unwatched', {}, follower)).body.data).toMatchObject({ data: [], watching: null })
  const hidden = repositoryOf(service, 'acme/hidden', { private: true, members: ['follower'] })
  expect((await ask('acme/hidden', {}, follower)).body.data).toMatchObject({ data: [], watching: null })
  expect((await ask('acme/hidden')).status).toBe(404)
  expect((await ask('acme/hidden', {}, await service.signedUp('stranger'))).status).toBe(404)
  service.host.remove(hidden)
  service.advance(6 * 60_000)
  expect((await ask('acme/hidden', {}, follower)).status).toBe(404)
})

test('removes a pull request from the list a year after the service found it', async () => {
  service.advance(364 * 24 * 60 * 60_000)
  await sweepInTurn(service.ctx, new AbortController().signal)
  expect((await service.list('acme/listed')).length).toBe(3)
  service.advance(2 * 24 * 60 * 60_000)
  await sweepInTurn(service.ctx, new AbortController().signal)
  expect(await service.list('acme/listed')).toEqual([])
  // A comment on an old pull request does not bring its entry back.
  const repository = service.host.repositories.find(({ name }) => name === 'listed')
  for (const pull of repository?.pulls ?? []) pull.updatedAt = service.ctx.now().toISOString()
  await service.pollDue()
  expect(await service.list('acme/listed')).toEqual([])
})
