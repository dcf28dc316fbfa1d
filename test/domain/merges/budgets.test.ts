import { afterAll, beforeAll, expect, test } from 'vitest'
import { merged, startWatchingService } from '../../support/merges.ts'
import { added, repositoryOf } from '../../support/pulls.ts'

const DAY_MS = 24 * 60 * 60_000
const service = await startWatchingService({ AUTOMATIC_ARTICLES_PER_DAY: '3', AUTOMATIC_ARTICLES_PER_REPOSITORY: '2' })
afterAll(() => service.close())

const names = ['acme/first', 'acme/second'] as const
const repositories = names.map((name) => repositoryOf(service, name, { pulls: [] }))
const follower = await service.signedUp('follower')

/** A merged pull request whose score depends on its number of changed lines. */
const sized = (number: number, lines: number) =>
  merged(number, 200 + number, { title: 'feat: grow', files: [added('src/a.ts', lines)] })

beforeAll(async () => {
  for (const name of names) await service.favorite(follower, name)
  await service.poll()
  repositories[0]?.pulls?.push(sized(1, 6), sized(2, 600), sized(3, 120), sized(4, 40))
  repositories[1]?.pulls?.push(sized(1, 6), sized(2, 40))
  await startOfDay()
  await service.pollDue()
})

/** Advances to the start of the next day, so that no day ends during a test. */
async function startOfDay(): Promise<void> {
  service.advance(DAY_MS - (service.ctx.now().getTime() % DAY_MS) + 60_000)
}

test('writes about the pull requests with the highest scores, within the daily budgets of the service and of each repository', async () => {
  await service.settle()
  expect(await service.statuses(names[0])).toEqual({ 1: 'waiting', 2: 'written', 3: 'written', 4: 'waiting' })
  expect(await service.statuses(names[1])).toEqual({ 1: 'waiting', 2: 'written' })
  const [waiting] = await service.list(names[1], { status: 'waiting' })
  expect(waiting?.explanation).toContain('The budget of the day is used up')
})

test('writes an article that a user requests even if the daily budget is used up', async () => {
  const params = { owner: 'acme', repo: 'second', number: '1' }
  expect((await service.call('generateArticle', { token: follower, params })).status).toBe(200)
  expect(await service.statuses(names[1])).toEqual({ 1: 'written', 2: 'written' })
  expect(await service.list(names[1], { status: 'waiting' })).toEqual([])
})

test('writes more articles with the budget of the next day, and skips pull requests that have waited for a day', async () => {
  repositories[1]?.pulls?.push(sized(3, 700), sized(4, 300), sized(5, 30))
  service.advance(23 * 60 * 60_000)
  await service.poll()
  await service.settle()
  // The next day has begun, so three more articles are written, two of them about the second repository.
  expect(await service.statuses(names[0])).toEqual({ 1: 'waiting', 2: 'written', 3: 'written', 4: 'written' })
  expect(await service.statuses(names[1])).toMatchObject({ 3: 'written', 4: 'written', 5: 'waiting' })
  service.advance(10 * 60 * 60_000)
  await service.poll()
  expect(await service.statuses(names[0])).toMatchObject({ 1: 'skipped: budget_spent' })
  expect(await service.statuses(names[1])).toMatchObject({ 5: 'waiting' })
})

test('counts each language of an article, and writes the missing ones with the budget of the next day', async () => {
  await service.unwatchAll()
  const name = 'acme/third'
  const repository = repositoryOf(service, name, { pulls: [] })
  const followers = await Promise.all(['ja', 'fr', 'en'].map(followerIn))
  for (const token of followers) await service.favorite(token, name)
  await service.poll()
  await startOfDay()
  const time = service.ctx.now().toISOString()
  repository.pulls?.push({ ...sized(1, 600), mergedAt: time, updatedAt: time })
  await service.pollDue()
  await service.settle()
  const places = { owner: 'acme', repo: 'third', number: '1' }
  const languages = async () =>
    Object.keys((await service.call('getArticle', { params: places })).body.data.contents).length
  expect(await languages()).toBe(2)
  await service.poll()
  expect(await languages()).toBe(2)
  await startOfDay()
  await service.pollDue()
  await service.settle()
  expect(await languages()).toBe(3)
})

async function followerIn(language: string): Promise<string> {
  const token = await service.signedUp(`follower-${language}`)
  expect((await service.call('updateCurrentUser', { token, body: { language } })).status).toBe(200)
  return token
}
