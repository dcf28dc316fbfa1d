import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { findNextToWrite } from '../../../src/db/merges/budgets.ts'
import { failed } from '../../../src/domain/merges/followJobs.ts'
import { articlesOf } from '../../support/articles.ts'
import { answer, behaves, holding } from '../../support/fakeModel.ts'
import { listedMerges } from '../../support/mergeRows.ts'
import { merged, startWatchingService } from '../../support/merges.ts'
import { repositoryOf } from '../../support/pulls.ts'

const service = await startWatchingService({
  AUTOMATIC_ARTICLES_PER_DAY: '100',
  AUTOMATIC_ARTICLES_PER_REPOSITORY: '100',
  MODEL_TOKENS_PER_DAY: '2000000',
})
afterAll(() => service.close())
afterEach(() => service.unwatchAll())
const { get } = articlesOf(service)
const follower = await service.signedUp('follower')

let last = 0
/** Polls until the article about the second pull request is written. */
async function written(name: string): Promise<void> {
  const state = async () => {
    await service.poll()
    return service.statuses(name)
  }
  await expect.poll(state).toMatchObject({ 2: 'written' })
}

async function watched() {
  last += 1
  const name = `acme/fragile-${last}`
  const repository = repositoryOf(service, name, { pulls: [merged(1, 1)] })
  await service.favorite(follower, name)
  await service.poll()
  return { repository, name }
}

test('lists the error of a failed article and the time of the next attempt, and then tries again', async () => {
  const { repository, name } = await watched()
  repository.pulls?.push(merged(2, 200))
  service.model.always((_, response) => answer(response, 'nothing'))
  await service.pollDue()
  await service.settle()
  const [failed] = await service.list(name, { status: 'failed' })
  expect(failed).toMatchObject({ prNumber: 2, error: { code: 'GENERATION_FAILED' }, nextTryAt: expect.any(String) })
  expect(failed?.explanation).toContain('will be tried again')
  service.model.always(undefined)
  service.advance(11 * 60_000)
  await service.poll()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('does not try again after the last try has failed', async () => {
  const { repository } = await watched()
  const { db, now } = service.ctx
  const day = now().toISOString().slice(0, 10)
  const lastTry = { number: 2, status: 'failed', started_on: day, attempts: 3 } as const
  const next = () => findNextToWrite(db, { day, perRepository: 100, isSpent: false }, now())
  await listedMerges(service, repository.id, [{ ...lastTry, next_try_at: now() }])
  expect(await next()).toMatchObject({ number: 2 })
  await listedMerges(service, repository.id, [{ ...lastTry, next_try_at: null }])
  expect(await next()).toBeUndefined()
})

test('does not try again after an operator has canceled the job', () => {
  const error = { error_code: 'GENERATION_FAILED', error_message: 'Canceled.' } as const
  const canceled = { ...error, error_reason: 'canceled_by_operator' } as const
  const next = (cause: typeof error) => failed({ attempts: 0 }, cause, new Date()).next_try_at
  expect([next(error), next(canceled)]).toEqual([expect.any(Date), null])
})

test('resumes with a repository once the code host no longer forbids it to the service token', async () => {
  const { repository, name } = await watched()
  repository.pulls?.push(merged(2, 200))
  Object.assign(repository, { forbidsTokens: true })
  await service.pollDue()
  const path = new RegExp(`^/repositories/${repository.id}`)
  service.advance(60 * 60_000)
  expect((await service.host.during(() => service.poll())).to(path)).toBe(0)
  Object.assign(repository, { forbidsTokens: false })
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('if the code host forbids access to a scored pull request for a while, writes the article later and logs no error', async () => {
  const { repository, name } = await watched()
  repository.pulls?.push(merged(2, 200))
  let calls = 0
  service.host.fail({
    path: new RegExp(`/${repository.name}/pulls/2$`),
    times: 3,
    act: (request, response) => {
      calls += 1
      return calls === 1 ? service.host.answer(request, response) : faults.status(403)(request, response)
    },
  })
  await service.pollDue()
  for (let i = 0; i < 3; i++) {
    service.advance(61 * 60_000)
    await service.poll()
  }
  expect([calls, (await service.statuses(name))[2]]).toEqual([2, 'queued'])
  expect(service.logged.filter((line) => line.includes('Starting an article failed.'))).toEqual([])
  service.host.heal()
  service.advance(6 * 60 * 60_000)
  await service.poll()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('neither lists nor writes about a repository that has become private', async () => {
  const { repository, name } = await watched()
  repository.pulls?.push(merged(2, 200))
  Object.assign(repository, { private: true, members: ['pullpress', 'follower'] })
  const requests = await service.model.during(async () => {
    await service.pollDue()
    await service.settle()
  })
  expect(requests.length).toBe(0)
  const rows = await service.ctx.db
    .selectFrom('merges')
    .where('host_repo_id', '=', repository.id)
    .select('number')
    .execute()
  expect(rows).toEqual([{ number: 1 }])
  const [owner = '', repo = ''] = name.split('/')
  expect((await service.call('listMerges', { params: { owner, repo } })).status).toBe(404)
  expect((await service.list(name, {}, follower)).map(({ prNumber }) => prNumber)).toEqual([1])
})

/** Calls for the pull request itself before the change: one to score it, and two around the fetch of its parts. */
const STAGES = { 'merge and score': 0, 'score and fetching': 1, 'fetching and writing': 3 }

test.each(Object.entries(STAGES))(
  'writes nothing about a repository that becomes private between %s',
  async (_, calls) => {
    const { repository, name } = await watched()
    repository.pulls?.push(merged(2, 200))
    const hide = () => Object.assign(repository, { private: true, members: ['pullpress'] })
    let asked = 0
    service.host.fail({
      path: new RegExp(`/fragile-${last}/pulls/2$`),
      accept: /json/,
      times: 3,
      act: (request, response) => {
        if (asked === calls) hide()
        service.host.answer(request, response)
        asked += 1
        if (asked === calls) hide()
      },
    })
    const requests = await service.model.during(async () => {
      await service.pollDue()
      await service.settle()
    })
    expect(requests.length).toBe(0)
    expect((await get(`${name}#2`)).status).toBe(404)
    const [owner = '', repo = ''] = name.split('/')
    expect((await service.call('listMerges', { params: { owner, repo } })).status).toBe(404)
    const [row] = await service.ctx.db
      .selectFrom('merges')
      .where('host_repo_id', '=', repository.id)
      .where('number', '=', 2)
      .select(['status', 'reason'])
      .execute()
    expect(row).toEqual({ status: 'skipped', reason: 'gone' })
    service.host.heal()
  },
)

test('lists and writes about other repositories while the list of one repository fails', async () => {
  const [broken, sound] = [await watched(), await watched()]
  for (const { repository } of [broken, sound]) repository.pulls?.push(merged(2, 200))
  service.host.fail({
    path: new RegExp(`^/repositories/${broken.repository.id}/pulls$`),
    times: 5,
    act: faults.cutJson,
  })
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(sound.name)).toMatchObject({ 2: 'written' })
  expect(await service.statuses(broken.name)).toEqual({ 1: 'skipped: earlier' })
  service.host.heal()
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(broken.name)).toMatchObject({ 2: 'written' })
})

test.each([
  ['the list of one repository', (id: number) => `^/repositories/${id}/pulls$`],
  ['the files of one pull request', (_: number, name: string) => `/${name}/pulls/2/files$`],
  ['one pull request', (_: number, name: string) => `/${name}/pulls/2$`],
])('writes about other repositories while %s fails with 502', async (_, path) => {
  const [broken, sound] = [await watched(), await watched()]
  for (const { repository } of [broken, sound]) repository.pulls?.push(merged(2, 200))
  const { id, name } = broken.repository
  service.host.fail({ path: new RegExp(path(id, name)), times: 1000, act: faults.status(502) })
  await service.pollDue()
  await service.poll()
  await written(sound.name)
  expect((await service.statuses(broken.name))[2]).not.toBe('written')
  service.host.heal()
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(broken.name)).toMatchObject({ 2: 'written' })
})

test('writes an article after the model was unavailable for three hours', async () => {
  const { repository, name } = await watched()
  repository.pulls?.push(merged(2, 200))
  service.model.always(behaves.status(503))
  await service.pollDue()
  for (let minutes = 0; minutes < 180; minutes += 5) {
    await service.poll()
    service.advance(5 * 60_000)
    await service.jobsEnded()
  }
  const [entry] = await service.list(name, { limit: '1' })
  expect(['queued', 'failed']).toContain(entry?.status)
  service.model.always(undefined)
  service.advance(11 * 60_000)
  await service.settle()
  await written(name)
})

test('does not call the code host for articles while the circuit breaker of the model is open', async () => {
  const { repository, name } = await watched()
  repository.pulls?.push(merged(2, 200))
  const open = { failures: 3, open_until: new Date(service.ctx.now().getTime() + 9 * 60 * 60_000), trial: null }
  await service.ctx.db.deleteFrom('breakers').execute()
  await service.ctx.db
    .insertInto('breakers')
    .values({ name: 'model', ...open })
    .execute()
  await service.pollDue()
  const { count } = await service.host.during(async () => {
    for (let i = 0; i < 5; i++) await service.poll()
  })
  expect([count, (await service.statuses(name))[2]]).toEqual([0, 'queued'])
  await service.ctx.db.deleteFrom('breakers').execute()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('writes an automatic article after the job of a user failed because the code host denied that user access', async () => {
  const { repository, name } = await watched()
  repository.pulls?.push(merged(2, 200))
  const { held, release } = holding()
  service.model.next(held)
  const other = await service.signedUp('denied')
  const params = { owner: 'acme', repo: repository.name, number: '2' }
  const headers = { prefer: 'respond-async' }
  expect((await service.call('generateArticle', { token: other, params, headers })).status).toBe(202)
  await service.pollDue()
  expect((await service.statuses(name))[2]).toBe('queued')
  await service.ctx.db
    .updateTable('article_jobs')
    .set({ status: 'failed', error_code: 'HOST_REPO_NOT_FOUND', error_message: 'There is no such repository.' })
    .where('host_repo_id', '=', repository.id)
    .execute()
  release()
  await service.settle()
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})

test('reserves half of the daily model tokens for articles that users request', async () => {
  const { repository, name } = await watched()
  const day = service.ctx.now().toISOString().slice(0, 10)
  await service.ctx.db
    .insertInto('model_usage')
    .values({ day, tokens: 1_000_001 })
    .onConflict((conflict) => conflict.column('day').doUpdateSet({ tokens: 1_000_001 }))
    .execute()
  repository.pulls?.push(merged(2, 200))
  service.advance(120_000)
  await service.poll()
  await service.poll()
  expect(await service.statuses(name)).toMatchObject({ 2: 'waiting' })
  const params = { owner: 'acme', repo: `fragile-${last}`, number: '2' }
  expect((await service.call('generateArticle', { token: follower, params })).status).toBe(200)
  expect(await service.statuses(name)).toMatchObject({ 2: 'written' })
})
