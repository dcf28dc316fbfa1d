import { afterAll, expect, test } from 'vitest'
import { verifyDue } from '../../src/domain/repositories/verifyListed.ts'
import { encodeCursor } from '../../src/lib/cursor.ts'
import { articlesOf } from '../support/articles.ts'
import { changed, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const issued = 'service-token-0123456789abcdef'
const service = await startService({ env: { CODE_HOST_TOKEN: issued } })
afterAll(() => service.close())
service.host.admit(issued, 'service')
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

async function written(name: string, pulls: number, repository = {}, writer = token) {
  const numbered = Array.from({ length: pulls }, (_, i) => ({ number: i + 1, files: [changed('a.ts')] }))
  repositoryOf(service, name, { ...repository, pulls: numbered })
  for (const { number } of numbered) await generated(`${name}#${number}`, writer)
}

async function list(query: Record<string, string | number> = {}, caller?: string) {
  const { status, body } = await service.call('listRepositories', { token: caller, query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const names = async (query = {}, caller?: string) =>
  (await list(query, caller)).data.map(({ repositoryFullName }: { repositoryFullName: string }) => repositoryFullName)

test('lists public repositories with articles, the one with the newest article first', async () => {
  const member = await service.signedUp('member')
  repositoryOf(service, 'acme/none', { pulls: [] })
  await written('acme/first', 2, { description: 'A first one.' })
  await written('acme/second', 1)
  await written('acme/secret', 1, { private: true, members: ['member'] }, member)
  await generated('acme/first#1', token, { language: 'en' })
  const newest = expect.stringMatching(/^20/)
  expect((await list()).data).toEqual([
    {
      ...{ repositoryFullName: 'acme/second', owner: 'acme', repo: 'second', description: null },
      url: `${service.url}/read/repos/acme/second`,
      ...{ articleCount: 1, newestArticleAt: newest },
    },
    {
      ...{ repositoryFullName: 'acme/first', owner: 'acme', repo: 'first', description: 'A first one.' },
      url: `${service.url}/read/repos/acme/first`,
      ...{ articleCount: 2, newestArticleAt: newest },
    },
  ])
  expect(await names({}, member)).toEqual(['acme/second', 'acme/first'])
  const { data, pagination } = await list({ limit: 1 })
  expect(data).toHaveLength(1)
  expect(await names({ limit: 1, cursor: pagination.nextCursor })).toEqual(['acme/first'])
  expect((await list({ limit: 2 })).pagination).toEqual({ limit: 2, nextCursor: null })
  const farPast = encodeCursor([-8.64e15, 1])
  for (const query of [{ cursor: 'W10' }, { cursor: farPast }, { cursor: '!' }, { offset: 1 }, { limit: 0 }])
    expect((await service.call('listRepositories', { query })).status).toBe(400)
})

test('verifies every repository with public articles once a day, with the service token', async () => {
  await written('acme/daily', 1)
  expect(await names()).toContain('acme/daily')
  service.advance(19 * 3_600_000)
  await verifyDue(service.ctx)
  const checks = () => service.host.calls.filter(({ path }) => /^\/repositories\/\d+$/.test(path)).length
  const before = checks()
  service.advance(2 * 3_600_000)
  await verifyDue(service.ctx)
  expect(checks() - before).toBe(3)
  await verifyDue(service.ctx)
  expect(checks() - before).toBe(3)
  service.advance(20 * 3_600_000)
  expect(await names()).toContain('acme/daily')
})
