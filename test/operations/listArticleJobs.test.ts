import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { encodeCursor } from '../../src/lib/cursor.ts'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves, holding } from '../support/fakeModel.ts'
import { changed, repositoryOf } from '../support/pulls.ts'

const service = await startWritingService({ SEND_PRIVATE_CODE_TO_MODEL: 'on' })
afterAll(() => service.close())
const { generate, generated } = articlesOf(service)

const list = (token: string, query: Record<string, string | number> = {}) =>
  service.call('listArticleJobs', { token, query })
async function jobs(token: string, query = {}) {
  const { status, body } = await list(token, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.data
}
const places = async (token: string, query = {}): Promise<string[]> =>
  (await jobs(token, query)).map((job: { repositoryFullName: string }) => job.repositoryFullName)

test('lists the jobs that the user started in any session, with their progress', async () => {
  const token = await service.signedUp('reader')
  const other = await service.signedUp('other')
  const first = aPull(service, { title: 'The first change' })
  const second = aPull(service)
  const third = aPull(service)
  const { id: articleId } = await generated(first, token)
  await generated(first, other)
  service.advance(1)
  service.model.next(behaves.says('no'), behaves.says('no'), behaves.says('no'))
  expect((await generate(second, token)).status).toBe(422)
  service.advance(1)
  const { held, release } = holding()
  service.model.next(held)
  const { body } = await generate(third, service.host.token('reader'), undefined, { prefer: 'respond-async' })
  await expect.poll(async () => (await jobs(token))[0].stage).toBe('writing')
  const listed = await jobs(token)
  expect(listed).toMatchObject([
    { id: body.data.id, prNumber: 1, status: 'running', error: null, articleId: null },
    { status: 'failed', error: { code: 'GENERATION_FAILED' }, articleId: null },
    { title: 'The first change', language: 'ja', status: 'succeeded', stage: 'done', progress: 1, articleId },
  ])
  expect(listed.map(({ owner, repo }: Record<string, string>) => `${owner}/${repo}#1`)).toEqual([third, second, first])
  release()
  expect(await jobs(other)).toEqual([])
})

test('pages by cursor', async () => {
  const token = await service.signedUp('pager')
  const names: string[] = []
  for (let i = 0; i < 3; i++) {
    const place = aPull(service)
    await generated(place, token)
    names.unshift(place.replace('#1', ''))
  }
  const { body } = await list(token, { limit: 2 })
  expect(body.data.pagination).toEqual({ limit: 2, nextCursor: expect.any(String) })
  const { nextCursor: cursor } = body.data.pagination
  expect([...(await places(token, { limit: 2 })), ...(await places(token, { limit: 2, cursor }))]).toEqual(names)
  expect((await list(token, { limit: 3 })).body.data.pagination).toEqual({ limit: 3, nextCursor: null })
  expect(await places(token, { cursor: encodeCursor([8.64e15, randomUUID()]) })).toEqual(names)
  for (const query of [{ cursor: 'W10' }, { cursor: '!' }, { offset: 1 }, { limit: 0 }, { limit: 101 }])
    expect((await list(token, query)).status).toBe(400)
})

test('hides jobs of private repositories from sessions without access', async () => {
  const pulls = [{ number: 1, title: 'A secret change', files: [changed('a.ts')] }]
  const vault = repositoryOf(service, 'acme/vault', { private: true, members: ['member'], pulls })
  const token = await service.signedUp('member')
  await generate('acme/vault#1', token, undefined, { prefer: 'wait=30' })
  expect(await places(token)).toEqual(['acme/vault'])
  const weak = service.host.token('member')
  service.host.fail({ path: new RegExp(`/repositories/${vault.id}$`), act: faults.status(404) })
  expect(await places(weak)).toEqual([])
  service.advance(6 * 60_000)
  expect([await places(token), await places(weak)]).toEqual([['acme/vault'], ['acme/vault']])
  vault.members = []
  service.advance(6 * 60_000)
  expect(await places(token)).toEqual([])
  // The title was fetched while the repository was private, so it stays hidden.
  vault.private = false
  service.advance(6 * 60_000)
  expect(await jobs(token)).toMatchObject([{ repositoryFullName: 'acme/vault', title: null }])
})
