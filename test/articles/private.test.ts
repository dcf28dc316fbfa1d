import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves, holding } from '../support/fakeModel.ts'
import { paramsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const closed = await startWritingService()
const open = await startWritingService({ ARTICLES_FOR_PRIVATE: 'on' })
const without = await startService()
afterAll(() => Promise.all([closed.close(), open.close(), without.close()]))
const vault = { private: true, members: ['member', 'second'] }

test('private code is not sent to a model unless the operator allows it', async () => {
  const member = await closed.signedUp('member')
  const asked = await closed.model.during(async () => {
    const { status, body } = await articlesOf(closed).generate(aPull(closed, {}, vault), member)
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(body.message).toContain('ARTICLES_FOR_PRIVATE')
  })
  expect(asked).toEqual([])
})

test('where it is allowed, members read the article and nobody else', async () => {
  const member = await open.signedUp('member')
  const stranger = await open.signedUp('stranger')
  const { generate, generated, get } = articlesOf(open)
  const place = aPull(open, {}, vault)
  const article = await generated(place, member)
  expect((await get(place, member)).body.data).toEqual(article)
  for (const token of [undefined, stranger])
    expect((await get(place, token)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
  expect((await generate(place, stranger)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
})

test('an outline of a private repository stays here, so that it needs no permission', async () => {
  const member = await without.signedUp('member')
  expect((await articlesOf(without).generate(aPull(without, {}, vault), member)).status).toBe(200)
})

test('what was written in private is not shown once the repository is public', async () => {
  const member = await open.signedUp('second')
  const repository = repositoryOf(open, 'acme/opening', {
    ...vault,
    pulls: [{ number: 1, title: 'A secret plan', files: [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }] }],
  })
  const { generated, get } = articlesOf(open)
  const { id } = await generated('acme/opening#1', member)
  Object.assign(repository, { private: false })
  open.advance(6 * 60_000)
  await open.call('getPullRequest', { token: member, params: { owner: 'acme', repo: 'opening', number: '1' } })
  const feed = await open.call('listPullRequests', {
    token: member,
    params: { owner: 'acme', repo: 'opening' },
    query: { state: 'all' },
  })
  expect(feed.body.data.data[0].articleExists).toBe(false)
  expect((await get('acme/opening#1')).body.error.code).toBe('ARTICLE_NOT_FOUND')
  const anew = await generated('acme/opening#1', member)
  expect(anew.id).toBe(id)
  expect((await get('acme/opening#1')).body.data).toEqual(anew)
})

test('a repository that turns private before its turn comes is not sent to the model', async () => {
  const reader = await closed.signedUp('reader')
  const repository = repositoryOf(closed, 'acme/closing', {
    pulls: [{ number: 1, files: [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }] }],
  })
  const { generate } = articlesOf(closed)
  const others = Array.from({ length: 4 }, () => aPull(closed))
  const before = closed.model.requests.length
  const asked = await closed.model.during(async () => {
    const { held, release } = holding()
    closed.model.next(...others.map(() => held))
    for (const place of others) await generate(place, reader, undefined, { prefer: 'respond-async' })
    const { body } = await generate('acme/closing#1', reader, undefined, { prefer: 'respond-async' })
    Object.assign(repository, { private: true, members: ['somebody'] })
    await closed.call('ingestPullRequest', {
      token: await closed.signedUp('somebody'),
      params: { owner: 'acme', repo: 'closing', number: '1' },
    })
    await expect.poll(() => closed.model.requests.length).toBe(before + 4)
    release()
    await expect
      .poll(
        async () => {
          const row = await closed.ctx.db
            .selectFrom('article_jobs')
            .where('id', '=', body.data.id)
            .select('status')
            .executeTakeFirst()
          return row?.status
        },
        { timeout: 20_000 },
      )
      .toBe('failed')
  })
  expect(asked.length).toBe(4)
})

test('a member whose proof runs out while they wait is let in again', async () => {
  const member = open.host.token('member')
  const place = aPull(open, {}, vault)
  await open.call('ingestPullRequest', { token: member, params: paramsOf(place) })
  open.model.next((request, response, good) => {
    open.advance(6 * 60_000)
    return behaves.changed((draft) => draft)(request, response, good)
  })
  expect((await articlesOf(open).generate(place, member)).status).toBe(200)
})
