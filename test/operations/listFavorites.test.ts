import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../support/articles.ts'
import { favoritesOf } from '../support/favorites.ts'
import { changed, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { names, favorite } = favoritesOf(service)
const { generated } = articlesOf(service)

async function unread(token: string): Promise<Record<string, number>> {
  const { status, body } = await service.call('listFavorites', { token, query: { limit: 100 } })
  expect(status, JSON.stringify(body)).toBe(200)
  return Object.fromEntries(
    body.data.data.map((item: { repo: string; unreadCount: number }) => [item.repo, item.unreadCount]),
  )
}
const pulls = [1, 2, 3].map((number) => ({ number, files: [changed('a.ts')] }))

test('pages through favorites, newest first', async () => {
  const token = await service.signedUp('hanako')
  for (let i = 1; i <= 12; i++) {
    service.host.repository({ id: i, owner: 'pages', name: `r${i}` })
    await favorite(token, `pages/r${i}`)
    service.advance(1)
  }
  expect(await names(token)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((i) => `pages/r${i}`))
  expect(await names(token, { offset: 10 })).toEqual(['pages/r2', 'pages/r1'])
  expect(await names(token, { limit: 1, offset: 5 })).toEqual(['pages/r7'])
  const { body } = await service.call('listFavorites', { token, query: { limit: 3, offset: 11 } })
  expect(body.data.pagination).toEqual({ totalItems: 12, limit: 3, offset: 11, nextCursor: null })
})

test.each([
  [{ limit: 0 }],
  [{ limit: 101 }],
  [{ limit: 'ten' }],
  [{ offset: -1 }],
  [{ offset: 10001 }],
  [{ limit: '' }],
])('rejects the query %j', async (query) => {
  const token = service.host.token('fussy')
  await service.call('signUp', { token })
  expect((await service.call('listFavorites', { token, query })).status).toBe(400)
})

test('counts each article once, and only if it was first written after the favorite was registered', async () => {
  repositoryOf(service, 'unread/busy', { pulls })
  repositoryOf(service, 'unread/quiet', { pulls })
  const writer = await service.signedUp('unread-writer')
  const token = await service.signedUp('unread-reader')
  await generated('unread/busy#1', writer)
  service.advance(1)
  await favorite(token, 'unread/busy')
  await favorite(token, 'unread/quiet')
  expect(await unread(token)).toEqual({ busy: 0, quiet: 0 })
  service.advance(1)
  await generated('unread/busy#2', writer)
  await generated('unread/busy#2', writer, { language: 'en' })
  await generated('unread/busy#1', writer, { language: 'en' })
  expect(await unread(token)).toEqual({ busy: 1, quiet: 0 })
  await generated('unread/busy#3', writer)
  expect(await unread(token)).toEqual({ busy: 2, quiet: 0 })
  const { body } = await service.call('listFavorites', { token })
  for (const { seenAt, registeredAt } of body.data.data) expect(seenAt).toBe(registeredAt)
})

test('counts articles about a private repository only for sessions that may read it', async () => {
  const vault = repositoryOf(service, 'unread/vault', { private: true, members: ['keeper', 'guest'], pulls })
  const keeper = await service.signedUp('keeper')
  const guest = await service.signedUp('guest')
  for (const token of [keeper, guest]) await favorite(token, 'unread/vault')
  service.advance(1)
  await generated('unread/vault#1', keeper)
  expect([await unread(keeper), await unread(guest)]).toEqual([{ vault: 1 }, { vault: 1 }])
  vault.members = ['keeper']
  service.advance(6 * 60_000)
  expect([await unread(keeper), await unread(guest)]).toEqual([{ vault: 1 }, {}])
  // Articles that were written while the repository was private stay hidden.
  vault.private = false
  service.advance(6 * 60_000)
  expect([await unread(keeper), await unread(guest)]).toEqual([{ vault: 0 }, { vault: 0 }])
})

test('counts at most 100 unread articles', async () => {
  const { id } = repositoryOf(service, 'unread/flood', { pulls })
  const token = await service.signedUp('flooded')
  await favorite(token, 'unread/flood')
  service.advance(1)
  await generated('unread/flood#1', token)
  expect(await unread(token)).toEqual({ flood: 1 })
  await copyArticle(id, 103)
  expect(await unread(token)).toEqual({ flood: 100 })
})

test('does not count a text that was written while the repository was private', async () => {
  const repository = repositoryOf(service, 'unread/opened', { private: true, members: ['opener'], pulls })
  const token = await service.signedUp('opener')
  await favorite(token, 'unread/opened')
  service.advance(1)
  await generated('unread/opened#1', token)
  expect(await unread(token)).toEqual({ opened: 1 })
  repository.private = false
  service.advance(6 * 60_000)
  await pullsOf(service).ingested('unread/opened#1', token)
  expect(await unread(token)).toEqual({ opened: 0 })
})

/** Copies the article of pull request 1, with its rows in all tables, to the pull requests 4 to `last`. */
async function copyArticle(hostRepoId: number, last: number): Promise<void> {
  const { db } = service.ctx
  const copied = async (table: string, changes: string, condition: string) =>
    sql`insert into ${sql.table(table)}
      select (jsonb_populate_record(original, jsonb_build_object(${sql.raw(changes)}))).*
      from ${sql.table(table)} original, generate_series(4, ${last}) n where ${sql.raw(condition)}
      on conflict do nothing`.execute(db)
  const article = `(select id from articles where host_repo_id = ${hostRepoId} and number = 1)`
  const id = `md5(n::text)::uuid`
  await copied('pull_requests', `'number', n`, `host_repo_id = ${hostRepoId} and number = 1`)
  await copied('articles', `'id', ${id}, 'number', n`, `id = ${article}`)
  await copied('article_texts', `'article_id', ${id}`, `article_id = ${article}`)
  await copied('article_cards', `'article_id', ${id}`, `article_id = ${article}`)
}
