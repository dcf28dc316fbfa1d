import { afterAll, expect, test } from 'vitest'
import { merged, startWatchingService } from '../support/merges.ts'
import { changed } from '../support/pulls.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { deliveryOf, WEBHOOK_SECRET } from '../support/webhooks.ts'

const REPOSITORIES = 10
const MERGES = 34
/** Fewer deliveries than a node has database connections, so that none waits for a connection on a busy machine. */
const AT_ONCE = 8
const env = { WEBHOOK_SECRET, AUTOMATIC_ARTICLES_PER_DAY: '0' }
const hinted = await startWatchingService(env)
const polling = await startWatchingService(env)
const both = [hinted, polling]
afterAll(() => Promise.all(both.map((service) => service.close())))

const ids = Array.from({ length: REPOSITORIES }, (_, i) => 900 + i)
for (const service of both) {
  const follower = await service.signedUp('follower')
  for (const id of ids) {
    service.host.repository({ id, owner: 'acme', name: `hinted-${id}`, pulls: [] })
    await service.favorite(follower, `acme/hinted-${id}`)
  }
  await service.poll()
}

const closed = (id: number, number: number) => ({ action: 'closed', number, repository: { id } })

/** The stored merged pull requests, without their times. */
const stateOf = ({ ctx }: typeof hinted) =>
  ctx.db
    .selectFrom('merges')
    .select(['host_repo_id', 'number', 'title', 'status', 'reason', 'score', 'is_earlier'])
    .orderBy('host_repo_id')
    .orderBy('number')
    .execute()

test('1,000 deliveries, a third of them forged and a third duplicates, lead to the same state as polling', async () => {
  const random = seededRandom(24)
  const merges = ids.flatMap((id) => Array.from({ length: MERGES }, (_, i) => ({ id, number: i + 1 })))
  for (const service of both)
    for (const { id, number } of merges) {
      const small = number % 2 === 0 ? {} : { title: 'Tidy up', files: [changed('src/a.ts')] }
      service.host.repositories
        .find((repository) => repository.id === id)
        ?.pulls?.push(merged(number, 200 + number, small))
    }
  const deliveries = merges
    .flatMap(({ id, number }) => {
      const delivery = deliveryOf('pull_request', closed(id, number))
      return [delivery, delivery, deliveryOf('pull_request', closed(id, 1000 + number), 'a-forged-secret-0123456789')]
    })
    .map((delivery) => ({ delivery, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ delivery }) => delivery)
  expect(deliveries.length).toBeGreaterThanOrEqual(1000)
  const statuses = new Map<number, number>()
  for (let start = 0; start < deliveries.length; start += AT_ONCE) {
    const batch = deliveries.slice(start, start + AT_ONCE)
    await Promise.all([
      ...batch.map(async (delivery) => {
        const { status } = await hinted.call('receiveWebhook', delivery)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }),
      hinted.poll(),
    ])
  }
  await hinted.poll()
  expect([...statuses].sort(([a], [b]) => a - b)).toEqual([
    [202, 2 * merges.length],
    [401, merges.length],
  ])
  await polling.pollDue()
  const state = await stateOf(polling)
  expect(state.length).toBe(merges.length)
  hinted.advance(11_000)
  await hinted.poll()
  expect(await stateOf(hinted)).toEqual(state)
})

test('a delivery during a check makes another check due, because the first may have missed the change', async () => {
  const [id = 0] = ids
  const repository = hinted.host.repositories.find((candidate) => candidate.id === id)
  await hinted.pollDue()
  repository?.pulls?.push(merged(200, 300))
  hinted.host.fail({
    path: new RegExp(`^/repositories/${id}/pulls$`),
    act: async (request, response) => {
      hinted.host.answer(request, response)
      repository?.pulls?.push(merged(201, 301))
      await hinted.call('receiveWebhook', deliveryOf('pull_request', closed(id, 201)))
    },
  })
  await hinted.pollDue()
  const listed = async () => (await stateOf(hinted)).filter((row) => row.host_repo_id === id && row.number >= 200)
  expect((await listed()).map(({ number }) => number)).toEqual([200])
  hinted.advance(11_000)
  await hinted.poll()
  expect((await listed()).map(({ number }) => number)).toEqual([200, 201])
})
