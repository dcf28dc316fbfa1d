import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { behaves, holding } from '../../support/fakeModel.ts'
import { paramsOf, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const withoutPermission = await startWritingService()
const withPermission = await startWritingService({ SEND_PRIVATE_CODE_TO_MODEL: 'on' })
const withoutModel = await startService()
afterAll(() => Promise.all([withoutPermission.close(), withPermission.close(), withoutModel.close()]))
const vault = { private: true, members: ['member', 'second'] }

test('does not send private code to a model unless the operator allows it', async () => {
  const member = await withoutPermission.signedUp('member')
  const modelRequests = await withoutPermission.model.during(async () => {
    const { status, body } = await articlesOf(withoutPermission).generate(aPull(withoutPermission, {}, vault), member)
    expect([status, body.error.code, body.error.details]).toEqual([403, 'FORBIDDEN', { reason: 'private_not_allowed' }])
    expect(body.message).toContain('SEND_PRIVATE_CODE_TO_MODEL')
  })
  expect(modelRequests).toEqual([])
})

test('shows an article about private code to members only', async () => {
  const member = await withPermission.signedUp('member')
  const stranger = await withPermission.signedUp('stranger')
  const { generate, generated, get } = articlesOf(withPermission)
  const place = aPull(withPermission, {}, vault)
  const article = await generated(place, member)
  expect((await get(place, member)).body.data).toEqual(article)
  for (const token of [undefined, stranger])
    expect((await get(place, token)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
  expect((await generate(place, stranger)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
})

test('writes outlines about private code without the permission of the operator, because no code leaves the service', async () => {
  const member = await withoutModel.signedUp('member')
  expect((await articlesOf(withoutModel).generate(aPull(withoutModel, {}, vault), member)).status).toBe(200)
})

test('once a private repository becomes public, hides article texts written before', async () => {
  const member = await withPermission.signedUp('second')
  const repository = repositoryOf(withPermission, 'acme/opening', {
    ...vault,
    pulls: [{ number: 1, title: 'A secret plan', files: [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }] }],
  })
  const { generated, get } = articlesOf(withPermission)
  const { id } = await generated('acme/opening#1', member)
  Object.assign(repository, { private: false })
  withPermission.advance(6 * 60_000)
  await withPermission.call('getPullRequest', {
    token: member,
    params: { owner: 'acme', repo: 'opening', number: '1' },
  })
  const feed = await withPermission.call('listPullRequests', {
    token: member,
    params: { owner: 'acme', repo: 'opening' },
    query: { state: 'all' },
  })
  expect(feed.body.data.data[0].articleExists).toBe(false)
  expect((await get('acme/opening#1')).body.error.code).toBe('ARTICLE_NOT_FOUND')
  const regenerated = await generated('acme/opening#1', member)
  expect(regenerated.id).toBe(id)
  expect((await get('acme/opening#1')).body.data.contents.ja.aiGeneratedTitle).toBe(
    regenerated.contents.ja.aiGeneratedTitle,
  )
})

test('sends nothing to the model if the repository becomes private while the job is queued', async () => {
  const reader = await withoutPermission.signedUp('reader')
  const repository = repositoryOf(withoutPermission, 'acme/closing', {
    pulls: [{ number: 1, files: [{ filename: 'a.ts', patch: '@@ -1 +1 @@\n-a\n+b' }] }],
  })
  const { generate } = articlesOf(withoutPermission)
  const others = Array.from({ length: 4 }, () => aPull(withoutPermission))
  const before = withoutPermission.model.requests.length
  const modelRequests = await withoutPermission.model.during(async () => {
    const { held, release } = holding()
    withoutPermission.model.next(...others.map(() => held))
    for (const place of others) await generate(place, reader, undefined, { prefer: 'respond-async' })
    const { body } = await generate('acme/closing#1', reader, undefined, { prefer: 'respond-async' })
    Object.assign(repository, { private: true, members: ['somebody'] })
    await withoutPermission.call('ingestPullRequest', {
      token: await withoutPermission.signedUp('queued-reader'),
      params: { owner: 'acme', repo: 'closing', number: '1' },
    })
    await expect.poll(() => withoutPermission.model.requests.length).toBe(before + 4)
    release()
    await expect
      .poll(
        async () => {
          const row = await withoutPermission.ctx.db
            .selectFrom('article_jobs')
            .where('id', '=', body.data.id)
            .select('status')
            .executeTakeFirst()
          return row?.status
        },
        { timeout: 60_000 },
      )
      .toBe('failed')
  })
  expect(modelRequests.length).toBe(4)
})

test('renews a visibility check that expires while a request waits for an article', async () => {
  const member = withPermission.host.token('member')
  const place = aPull(withPermission, {}, vault)
  await withPermission.call('ingestPullRequest', { token: member, params: paramsOf(place) })
  withPermission.model.next((request, response, good) => {
    withPermission.advance(6 * 60_000)
    return behaves.changed((draft) => draft)(request, response, good)
  })
  expect((await articlesOf(withPermission).generate(place, member)).status).toBe(200)
})
