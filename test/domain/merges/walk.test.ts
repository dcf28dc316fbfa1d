import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakeRepository } from '../../../scripts/fakeHost/fakeRepository.ts'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { at, merged, SERVICE_TOKEN, startWatchingService } from '../../support/merges.ts'
import { repositoryOf } from '../../support/pulls.ts'

const service = await startWatchingService({ AUTOMATIC_ARTICLES_PER_DAY: '0' })
afterAll(() => service.close())
afterEach(() => service.unwatchAll())

const follower = await service.signedUp('follower')
let last = 0

/** Creates a repository with these earlier pull requests, and makes the service watch it. */
async function watched(pulls: FakeRepository['pulls']): Promise<FakeRepository & { path: string; full: string }> {
  last += 1
  const repository = repositoryOf(service, `acme/watched-${last}`, { pulls: pulls ?? [] })
  await service.favorite(follower, `acme/watched-${last}`)
  await service.poll()
  return Object.assign(repository, { path: `/repositories/${repository.id}/pulls`, full: `acme/watched-${last}` })
}

const numbers = async (name: string) => {
  const rows = await service.ctx.db
    .selectFrom('merges')
    .innerJoin('repositories', 'repositories.host_repo_id', 'merges.host_repo_id')
    .where('repositories.name', '=', name.split('/')[1] ?? '')
    .where('merges.is_earlier', '=', false)
    .select('merges.number')
    .orderBy('merges.number')
    .execute()
  return rows.map(({ number }) => number)
}

/** A pull request of a bot. No follower wants it, so the poller lists it without scoring it, which would take calls. */
const mergedByBot = (number: number, minute: number) => merged(number, minute, { author: 'renovate[bot]', isBot: true })

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('the first check lists the 30 most recently merged pull requests as earlier, and writes about none of them', async () => {
  const closed = { number: 200, updatedAt: at(99), files: [] }
  const repository = await watched([...range(1, 40).map((number) => merged(number, number)), closed])
  const listed = await service.list(repository.full, { limit: '100' })
  expect(listed.map(({ prNumber }) => prNumber)).toEqual(range(11, 40).reverse())
  expect(listed.every(({ earlier, status, reason }) => earlier && status === 'skipped' && reason === 'earlier')).toBe(
    true,
  )
  expect(service.model.requests.length).toBe(0)
})

test('lists exactly the pull requests merged after the first check as new, each of them once', async () => {
  const repository = await watched([merged(1, 1)])
  repository.pulls?.push(
    merged(2, 200),
    { number: 3, updatedAt: at(201), files: [] },
    { number: 4, state: 'open', updatedAt: at(202), files: [] },
  )
  await service.pollDue()
  expect(await numbers(repository.full)).toEqual([2])
  // Between two pages, comments move a pull request that was not read yet and one that was to the front of the list, and
  // a third one is merged.
  repository.pulls?.splice(0, 2, merged(1, 1, { updatedAt: at(300) }), merged(2, 200, { updatedAt: at(301) }))
  repository.pulls?.push(merged(5, 302))
  await service.pollDue()
  await service.pollDue()
  expect(await numbers(repository.full)).toEqual([2, 5])
  const [first] = await service.list(repository.full, { limit: '1' })
  expect(first).toMatchObject({ prNumber: 5, earlier: false })
})

test('checks an unchanged list with one call that uses the service token and costs no rate limit', async () => {
  const repository = await watched([merged(1, 1)])
  await service.pollDue()
  const before = service.host.calls.length
  for (let i = 0; i < 3; i++) await service.pollDue()
  const calls = service.host.calls.slice(before).filter(({ path }) => path === repository.path)
  expect(calls.map(({ unchanged }) => unchanged)).toEqual([true, true, true])
  expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${SERVICE_TOKEN}`]))
})

test('does not call the code host before the next check is due', async () => {
  const repository = await watched([merged(1, 1)])
  const before = service.host.callsTo(repository.path)
  await service.poll()
  await service.poll()
  expect(service.host.callsTo(repository.path)).toBe(before)
})

test('reads several pages after an outage, and resumes at the page where an earlier check failed', async () => {
  const repository = await watched([merged(1, 1)])
  repository.pulls?.push(...range(1000, 1349).map((number) => mergedByBot(number, number - 800)))
  // The code host answers for the first two pages and fails for the third.
  let asked = 0
  service.host.fail({
    path: new RegExp(`^${repository.path}$`),
    times: 3,
    act: (request, response) => {
      asked += 1
      return asked < 3 ? service.host.answer(request, response) : faults.status(422)(request, response)
    },
  })
  await service.pollDue()
  expect(await numbers(repository.full)).toEqual(range(1150, 1349))
  const watching = await service.ctx.db
    .selectFrom('watched_repositories')
    .where('host_repo_id', '=', repository.id)
    .select(['walk_page', 'covered_until'])
    .executeTakeFirst()
  expect(watching).toMatchObject({ walk_page: 3, covered_until: new Date(at(1)) })
  await service.pollDue()
  expect(await numbers(repository.full)).toEqual(range(1000, 1349))
})

test('misses no merged pull request if another one leaves the list between the calls for two pages', async () => {
  const repository = await watched([merged(1, 1)])
  const pulls = repository.pulls ?? []
  pulls.push(...range(2000, 2149).map((number) => mergedByBot(number, number - 1800)))
  let asked = 0
  service.host.fail({
    path: new RegExp(`^${repository.path}$`),
    times: 2,
    act: (request, response) => {
      asked += 1
      // An unmerged pull request on the first page leaves the list, so another moves from the second page to the first.
      if (asked === 2)
        pulls.splice(
          pulls.findIndex(({ number }) => number === 3000),
          1,
        )
      return service.host.answer(request, response)
    },
  })
  pulls.push({ number: 3000, updatedAt: at(400), files: [] })
  await service.pollDue()
  expect(await numbers(repository.full)).toEqual(range(2000, 2149))
})

test('misses no merged pull request if another one leaves the pages that were read before a failure', async () => {
  const repository = await watched([merged(1, 1)])
  const pulls = repository.pulls ?? []
  const onSecondPage = { number: 5000, updatedAt: at(320), files: [] }
  pulls.push(...range(4000, 4249).map((number) => mergedByBot(number, number - 3800)), onSecondPage)
  let asked = 0
  service.host.fail({
    path: new RegExp(`^${repository.path}$`),
    times: 3,
    act: (request, response) => {
      asked += 1
      if (asked === 3) pulls.splice(pulls.indexOf(onSecondPage), 1)
      return asked < 3 ? service.host.answer(request, response) : faults.status(422)(request, response)
    },
  })
  await service.pollDue()
  await service.pollDue()
  expect(await numbers(repository.full)).toEqual(range(4000, 4249))
})

test('pauses checks as long as the code host asks for, and during an outage', async () => {
  const repository = await watched([merged(1, 1)])
  repository.pulls?.push(merged(2, 200))
  service.host.fail({ path: new RegExp(`^${repository.path}$`), act: faults.status(429, { 'retry-after': '120' }) })
  await service.pollDue()
  const before = service.host.calls.length
  service.advance(110_000)
  await service.poll()
  expect(service.host.calls.length).toBe(before)
  service.advance(20_000)
  service.host.fail({ path: /./, times: 50, act: faults.reset })
  await service.poll()
  expect(await numbers(repository.full)).toEqual([])
  const during = service.host.calls.length
  await service.poll()
  expect(service.host.calls.length).toBe(during)
  service.host.heal()
  service.advance(120_000)
  await service.poll()
  expect(await numbers(repository.full)).toEqual([2])
})

test('keeps to the hourly limit of calls to the code host', async () => {
  const repository = await watched([merged(1, 1)])
  repository.pulls?.push(merged(2, 200))
  const { automaticArticles } = service.ctx.config
  const limit = automaticArticles.callsPerHour
  automaticArticles.callsPerHour = 1
  const before = service.host.calls.length
  await service.pollDue()
  automaticArticles.callsPerHour = limit
  await service.poll()
  expect(service.host.calls.length).toBe(before + 1)
  service.advance(61 * 60_000)
  await service.poll()
  expect(await numbers(repository.full)).toEqual([2])
})

test('checks a quiet repository about four times a day, and more often after a change', async () => {
  const repository = await watched([merged(1, 1)])
  const day = async () => {
    const before = service.host.callsTo(repository.path)
    for (let minutes = 0; minutes < 24 * 60; minutes += 20) {
      service.advance(20 * 60_000)
      await service.poll()
    }
    return service.host.callsTo(repository.path) - before
  }
  service.advance(30 * 24 * 60 * 60_000)
  await service.poll()
  expect(await day()).toBeLessThanOrEqual(5)
  repository.pulls?.push(merged(2, 500))
  expect(await day()).toBeGreaterThan(8)
})

test('pull requests merged after a user follows the repository and before its first check count as new', async () => {
  const name = 'acme/eager'
  const pulls = [merged(1, 1)]
  repositoryOf(service, name, { pulls })
  await service.favorite(follower, name)
  const now = service.ctx.now().getTime()
  const later = Array.from({ length: 130 }, (_, i) => {
    const time = new Date(now + i * 1000).toISOString()
    return { ...mergedByBot(100 + i, 0), mergedAt: time, updatedAt: time }
  })
  pulls.push(...later)
  service.advance(200_000)
  await service.poll()
  expect(await numbers(name)).toEqual(range(100, 229))
})

test('lists a merged pull request even if the code host lists it late', async () => {
  const repository = await watched([merged(1, 1), merged(2, 50)])
  // Merged before the newest listed pull request, but listed by the code host only after the first check.
  repository.pulls?.push(merged(3, 49))
  await service.pollDue()
  expect(await numbers(repository.full)).toEqual([3])
})

test('watches a repository if some users follow it while others unfollow it', async () => {
  const name = 'acme/busy'
  const repository = repositoryOf(service, name, { pulls: [] })
  const users = await Promise.all(range(1, 8).map((i) => service.signedUp(`mover-${i}`)))
  const body = { owner: 'acme', repo: 'busy' }
  for (let round = 0; round < 5; round++)
    await Promise.all(
      users.map((token, i) =>
        (i + round) % 2 === 0
          ? service.call('addFavorite', { token, body })
          : service.call('removeFavorite', { token, params: body }),
      ),
    )
  const rows = await service.ctx.db
    .selectFrom('watched_repositories')
    .where('host_repo_id', '=', repository.id)
    .select('host_repo_id')
    .execute()
  expect(rows.length).toBe(1)
})
