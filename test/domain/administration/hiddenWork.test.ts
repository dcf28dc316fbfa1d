import { afterAll, expect, test } from 'vitest'
import { hideArticle, hideRepository } from '../../../src/domain/administration/hiding.ts'
import { articlesOf } from '../../support/articles.ts'
import { holding } from '../../support/fakeModel.ts'
import { merged, startWatchingService } from '../../support/merges.ts'
import { changed, pullsOf, repositoryOf } from '../../support/pulls.ts'

const service = await startWatchingService({
  AUTOMATIC_ARTICLES_PER_DAY: '100',
  AUTOMATIC_ARTICLES_PER_REPOSITORY: '100',
  ARTICLES_AT_ONCE: '1',
})
afterAll(() => service.close())
const { db } = service.ctx
const { generate, generated } = articlesOf(service)
const { ingested } = pullsOf(service)
const reader = await service.signedUp('reader')
const operator = () => ({ at: service.ctx.now(), by: 'tester', note: null })
const nameOf = (name: string) => ({ owner: 'acme', repo: name.split('/')[1] ?? '' })

let last = 0
async function followed() {
  last += 1
  const name = `acme/followed-${last}`
  const repository = repositoryOf(service, name, { pulls: [merged(1, 1)] })
  await service.favorite(reader, name)
  await service.poll()
  return { name, repository }
}

test('the poller does not check a hidden repository, and checks it again after it is unhidden', async () => {
  const { name, repository } = await followed()
  repository.pulls?.push(merged(2, 200))
  await hideRepository(db, 'hide', nameOf(name), operator())
  const requests = await service.model.during(async () => {
    const { count } = await service.host.during(service.pollDue)
    expect(count).toBe(0)
  })
  expect(requests).toEqual([])
  await hideRepository(db, 'unhide', nameOf(name), operator())
  repository.pulls?.push(merged(3, 1000))
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: expect.stringContaining('skipped'), 3: 'written' })
})

test('without calling the code host, the poller skips merged pull requests that were hidden before it scored them', async () => {
  const { name, repository } = await followed()
  await db
    .insertInto('merges')
    .values({
      ...{ host_repo_id: repository.id, number: 5, url: 'https://host.example.com/5', title: 'Some', author: 'a' },
      ...{ author_is_bot: false, merged_at: new Date(), found_at: new Date(), is_earlier: false, status: 'found' },
    })
    .execute()
  await hideRepository(db, 'hide', nameOf(name), operator())
  expect((await service.host.during(service.poll)).count).toBe(0)
  await hideRepository(db, 'unhide', nameOf(name), operator())
  expect(await service.statuses(name)).toMatchObject({ 5: 'skipped: hidden' })
  const [entry] = await service.list(name, { status: 'skipped' })
  expect(entry?.explanation).toContain('had hidden it')
})

test('no article is written about a hidden pull request that was merged', async () => {
  const { name, repository } = await followed()
  repository.pulls?.push(merged(2, 200), merged(3, 201))
  await ingested(`${name}#2`, reader)
  await hideArticle(db, 'hide', { name: nameOf(name), number: 2 }, operator())
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(name)).toEqual({ 1: 'skipped: earlier', 3: 'written' })
  await hideArticle(db, 'unhide', { name: nameOf(name), number: 2 }, operator())
  expect(await service.statuses(name)).toMatchObject({ 2: 'skipped: hidden', 3: 'written' })
  expect(await generated(`${name}#2`, reader)).toMatchObject({ prNumber: 2 })
})

test('a job that waits while its pull request is hidden fails without a model call', async () => {
  repositoryOf(service, 'acme/waiting', {
    pulls: [1, 2].map((number) => ({ number, title: `Change ${number}`, files: [changed('a.ts')] })),
  })
  const { held, release } = holding()
  service.model.next(held)
  const first = generate('acme/waiting#1', reader, { language: 'ja' })
  await expect
    .poll(() => db.selectFrom('article_jobs').where('status', '=', 'running').select('id').execute())
    .toHaveLength(1)
  const second = generate('acme/waiting#2', reader, { language: 'ja' })
  await expect
    .poll(() => db.selectFrom('article_jobs').where('status', '=', 'queued').select('id').execute())
    .toHaveLength(1)
  await hideArticle(db, 'hide', { name: nameOf('acme/waiting'), number: 2 }, operator())
  const requests = await service.model.during(async () => {
    release()
    expect((await first).status).toBe(200)
    const { status, body } = await second
    expect([status, body.error.details.reason]).toEqual([403, 'hidden_by_operator'])
  })
  expect(requests.filter((request) => JSON.stringify(request).includes('Change 2'))).toEqual([])
})

test('a request for a hidden article starts no job and makes no model call', async () => {
  repositoryOf(service, 'acme/quiet', { pulls: [{ number: 1, title: 'Some', files: [changed('a.ts')] }] })
  repositoryOf(service, 'acme/secret', {
    private: true,
    members: ['reader'],
    pulls: [{ number: 1, title: 'Some', files: [changed('a.ts')] }],
  })
  for (const name of ['acme/quiet', 'acme/secret']) await ingested(`${name}#1`, reader)
  const jobs = async () => (await db.selectFrom('article_jobs').select('id').execute()).length
  const before = await jobs()
  for (const name of ['acme/quiet', 'acme/secret']) await hideRepository(db, 'hide', nameOf(name), operator())
  const requests = await service.model.during(async () => {
    for (const place of ['acme/quiet#1', 'acme/quiet#9', 'acme/secret#1']) {
      const { status, body } = await generate(place, reader, { language: 'en' })
      expect([place, status, body.error.details?.reason]).toEqual([place, 403, 'hidden_by_operator'])
    }
    // A user who cannot see the private repository does not learn that it is hidden.
    const stranger = await service.signedUp('stranger')
    expect((await generate('acme/secret#1', stranger)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
    service.advance(10 * 60_000)
    expect((await generate('acme/secret#1', reader)).body.error.details.reason).toBe('hidden_by_operator')
  })
  expect([requests, await jobs()]).toEqual([[], before])
})
