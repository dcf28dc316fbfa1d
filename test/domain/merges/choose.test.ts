import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { articlesOf } from '../../support/articles.ts'
import { holding, promptOf } from '../../support/fakeModel.ts'
import { merged, SERVICE_TOKEN, startWatchingService } from '../../support/merges.ts'
import { added, changed, repositoryOf } from '../../support/pulls.ts'

const service = await startWatchingService({
  AUTOMATIC_ARTICLES_PER_DAY: '100',
  AUTOMATIC_ARTICLES_PER_REPOSITORY: '100',
})
afterAll(() => service.close())
afterEach(() => service.unwatchAll())
const { get } = articlesOf(service)

let last = 0
/** Creates a repository with one follower for each of these settings. */
async function followed(...settings: { language?: string; automaticArticles?: string; includesBots?: boolean }[]) {
  last += 1
  const name = `acme/chosen-${last}`
  const repository = repositoryOf(service, name, { pulls: [merged(1, 1)] })
  for (const [i, { language = 'ja', ...setting }] of settings.entries()) {
    const token = await service.signedUp(`follower-${last}-${i}`)
    await service.call('updateCurrentUser', { token, body: { language } })
    await service.favorite(token, name)
    const params = { owner: 'acme', repo: `chosen-${last}` }
    if (Object.keys(setting).length > 0) await service.call('updateFavorite', { token, params, body: setting })
  }
  await service.poll()
  return { repository, name }
}

const routine = { title: 'Tidy up', files: [changed('src/a.ts')] }
const bot = { title: 'Bump left-pad', author: 'dependabot[bot]', isBot: true }

test('writes about notable changes, and sends nothing about other changes to the model', async () => {
  const { repository, name } = await followed({})
  repository.pulls?.push(
    merged(2, 200),
    merged(3, 201, routine),
    merged(4, 202, bot),
    merged(5, 203, { title: 'Update the lock file', files: [added('package-lock.json', 900)] }),
    merged(6, 204, { title: 'docs: explain', files: [added('docs/guide.md', 300)] }),
    merged(7, 205, { title: 'ci: cache', files: [added('.github/workflows/ci.yml', 60)] }),
  )
  const requests = await service.model.during(async () => {
    await service.pollDue()
    await service.settle()
  })
  expect(await service.statuses(name)).toEqual({
    1: 'skipped: earlier',
    2: 'written',
    3: 'skipped: low_score',
    4: 'skipped: bot',
    5: 'skipped: low_score',
    6: 'skipped: low_score',
    7: 'skipped: low_score',
  })
  for (const request of requests) expect(promptOf(request)).toContain('part-2')
  const [written] = await service.list(name, { status: 'written' })
  expect(written).toMatchObject({ prNumber: 2, articleId: expect.any(String), score: 55 })
  expect(written?.explanation).toBe(
    'An article was written. Score 55: a new feature (+35), 40 changed lines of source code (+20).',
  )
  const [skipped] = await service.list(name, { status: 'skipped', limit: '1' })
  expect(skipped?.explanation).toBe(
    'Its score is too low: articles are written from 40 on. Score 0: routine work (−20), no changes of source code (−30).',
  )
  const { body } = await get(`${name}#2`)
  expect(Object.keys(body.data.contents)).toEqual(['ja'])
})

test('writes about each merged pull request that the settings of at least one follower ask for', async () => {
  const { repository, name } = await followed({ automaticArticles: 'everything' }, { includesBots: true })
  repository.pulls?.push(
    merged(2, 200, routine),
    merged(3, 201, { ...bot, title: 'feat: add a bot' }),
    merged(4, 202, { ...bot, ...routine }),
  )
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written', 3: 'written', 4: 'skipped: low_score' })
})

test('writes an article in the languages of the followers who want it: once from the diff, then by translation', async () => {
  const { repository, name } = await followed(
    { language: 'en' },
    { language: 'en' },
    { language: 'ja' },
    { language: 'fr', automaticArticles: 'off' },
  )
  repository.pulls?.push(merged(2, 200))
  await service.pollDue()
  await service.settle()
  const { body } = await get(`${name}#2`)
  const { en, ja, fr } = body.data.contents
  expect([en.generator.translatedFrom, ja.generator.translatedFrom, fr]).toEqual([null, 'en', undefined])
  const jobs = await service.ctx.db
    .selectFrom('article_jobs')
    .where('host_repo_id', '=', repository.id)
    .select(['session_id', 'language'])
    .orderBy('created_at')
    .execute()
  expect(jobs).toEqual([
    { session_id: null, language: 'en' },
    { session_id: null, language: 'ja' },
  ])
})

test('filters the list of merged pull requests by the settings of the viewer', async () => {
  const { repository, name } = await followed({ automaticArticles: 'everything' }, {})
  repository.pulls?.push(merged(2, 200), merged(3, 201, routine), merged(4, 202, bot))
  await service.pollDue()
  await service.settle()
  const wanted = async (login: string) => {
    const token = service.host.token(login)
    return (await service.list(name, { wanted: 'true' }, token)).map(({ prNumber }) => prNumber)
  }
  expect(await wanted(`follower-${last}-0`)).toEqual([3, 2, 1])
  expect(await wanted(`follower-${last}-1`)).toEqual([2])
  expect((await service.list(name, { wanted: 'true' })).length).toBe(4)
  expect((await service.list(name, { status: 'written' })).map(({ prNumber }) => prNumber)).toEqual([3, 2])
})

test('writes automatic articles without the token or the quota of a user', async () => {
  const { repository, name } = await followed({})
  repository.pulls?.push(merged(2, 200))
  const tokens = await service.tokensDuring(async () => {
    await service.pollDue()
    await service.settle()
  })
  expect(tokens).toEqual(new Set([`Bearer ${SERVICE_TOKEN}`]))
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
  expect(await service.ctx.db.selectFrom('article_quotas').selectAll().execute()).toEqual([])
  expect((await service.ctx.db.selectFrom('etags').selectAll().execute()).length).toBe(0)
})

test('lists a skipped pull request with the status "written" once a user has requested its article', async () => {
  const { repository, name } = await followed({})
  repository.pulls?.push(merged(2, 200, routine))
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'skipped: low_score' })
  const token = service.host.token(`follower-${last}-0`)
  const params = { owner: 'acme', repo: `chosen-${last}`, number: '2' }
  expect((await service.call('generateArticle', { token, params })).status).toBe(200)
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('raises the priority of a queued automatic article when a user requests it', async () => {
  const { repository, name } = await followed({})
  const token = service.host.token(`follower-${last}-0`)
  const holds = Array.from({ length: 4 }, () => holding())
  service.model.next(...holds.map(({ held }) => held))
  const busy = repositoryOf(service, `acme/busy-${last}`, { pulls: [1, 2, 3, 4].map((number) => merged(number, 1)) })
  const ask = (repo: string, number: number) =>
    service.call('generateArticle', {
      token,
      params: { owner: 'acme', repo, number: `${number}` },
      headers: { prefer: 'respond-async' },
    })
  for (const number of [1, 2, 3, 4]) await ask(busy.name, number)
  repository.pulls?.push(merged(2, 200))
  await service.pollDue()
  const priority = async () => {
    const { rows } = await sql<{ priority: number }>`
      select job.priority from pgboss.job join article_jobs on article_jobs.id::text = job.data ->> 'jobId'
      where article_jobs.host_repo_id = ${repository.id}`.execute(service.ctx.db)
    return rows.map((row) => row.priority)
  }
  expect(await priority()).toEqual([-1])
  await ask(repository.name, 2)
  expect(await priority()).toEqual([0])
  for (const { release } of holds) release()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})
