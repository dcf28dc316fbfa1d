import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import { type Fault, faults } from '../../../scripts/fakeHost/faults.ts'
import { sha } from '../../../scripts/fakeHost/ids.ts'
import { changed, pullsOf, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { ingest, ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')
const { host } = service

test('fetching an unchanged pull request takes one call that costs no rate limit, and writes nothing', async () => {
  repositoryOf(service, 'cheap/same', { pulls: [{ number: 1, files: [changed('a')] }] })
  const first = await ingested('cheap/same#1', token)
  const rows = await writes()
  const calls = await host.during(async () => {
    for (let i = 0; i < 20; i++) expect(await ingested('cheap/same#1', token)).toEqual(first)
  })
  expect(calls).toMatchObject({ count: 20, free: 20 })
  expect(await writes()).toEqual(rows)
})

test('fetches no page again if the ETag changed but no stored field did', async () => {
  const pull: FakePull = { number: 1, files: [changed('a')] }
  repositoryOf(service, 'cheap/noise', { pulls: [pull] })
  const first = await ingested('cheap/noise#1', token)
  pull.noise = 1
  const calls = await host.during(async () => expect(await ingested('cheap/noise#1', token)).toEqual(first))
  expect(calls).toMatchObject({ count: 1, free: 0 })
  expect(await host.during(() => ingest('cheap/noise#1', token))).toMatchObject({ count: 1, free: 1 })
})

test('keeps an ETag per token, and checks the access of a new viewer with one call', async () => {
  repositoryOf(service, 'cheap/shared', { pulls: [{ number: 1, files: [changed('a')] }] })
  await ingested('cheap/shared#1', token)
  const other = await service.signedUp('jiro')
  expect(await host.during(() => ingested('cheap/shared#1', other))).toMatchObject({ count: 1, free: 0 })
  expect(await host.during(() => ingested('cheap/shared#1', other))).toMatchObject({ count: 1, free: 1 })
  expect(await host.during(() => ingested('cheap/shared#1', token))).toMatchObject({ count: 1, free: 1 })
})

test('a new comment causes no other fetch of the files, but a new head commit does', async () => {
  const pull: FakePull = { number: 1, files: [changed('a')], comments: [], updatedAt: '2026-01-02T00:00:00Z' }
  repositoryOf(service, 'cheap/talk', { pulls: [pull] })
  await ingested('cheap/talk#1', token)
  pull.comments = [{ author: 'a', body: 'New', at: '2026-01-03T00:00:00Z' }]
  pull.updatedAt = '2026-01-03T00:00:00Z'
  const talk = await host.during(async () =>
    expect(await ingested('cheap/talk#1', token)).toMatchObject({ comments: [{ body: 'New' }] }),
  )
  expect([talk.to(/files|commits/), talk.to(/issues.*comments/)]).toEqual([0, 1])
  pull.head = sha('new head')
  pull.files = [changed('b')]
  pull.updatedAt = '2026-01-04T00:00:00Z'
  const push = await host.during(async () =>
    expect(await ingested('cheap/talk#1', token)).toMatchObject({
      files: [{ path: 'b' }],
      comments: [{ body: 'New' }],
    }),
  )
  expect(push.to(/files/)).toBe(1)
})

test('shares one fetch between concurrent requests', async () => {
  repositoryOf(service, 'cheap/crowd', { pulls: [{ number: 1, files: [changed('a')] }] })
  const tokens = await Promise.all(['c1', 'c2', 'c3'].map((login) => service.signedUp(login)))
  const calls = await host.during(async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => ingest('cheap/crowd#1', tokens[i % 3])))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
  expect([calls.to(/files/), calls.to(/reviews/), calls.to(/commits/)]).toEqual([1, 1, 1])
})

test('shares one read of the conversation between concurrent refreshes', async () => {
  repositoryOf(service, 'cheap/refresh', { pulls: [{ number: 1, files: [changed('a')] }] })
  await ingested('cheap/refresh#1', token)
  const tokens = await Promise.all(Array.from({ length: 15 }, (_, i) => service.signedUp(`refresher-${i}`)))
  host.fail({
    path: /refresh\/pulls\/1\/reviews/,
    times: 99,
    act: delayed(300, faults.status(200, {}, [] as never)),
  })
  const calls = await host.during(async () => {
    const answers = await Promise.all(
      tokens.map((callerToken) => get('cheap/refresh#1', callerToken, { refresh: 'true' })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
  expect(calls.to(/reviews/)).toBeLessThanOrEqual(2)
  host.heal()
})

test('an error with the token of one user does not affect other users who wait for the same fetch', async () => {
  repositoryOf(service, 'cheap/trouble', { pulls: [{ number: 1, files: [changed('a')] }] })
  const other = await service.signedUp('untroubled')
  host.fail({ path: /trouble\/pulls\/1\/files/, act: delayed(300, faults.status(404)) })
  const first = ingest('cheap/trouble#1', token)
  await expect.poll(() => host.callsTo('/repos/cheap/trouble/pulls/1/files')).toBe(1)
  expect((await ingest('cheap/trouble#1', other)).status).toBe(200)
  expect((await first).status).toBe(502)
})

test('if one user loses access during a fetch, other users who wait for it are not affected', async () => {
  const members = ['hanako', 'keeper']
  const repository = repositoryOf(service, 'cheap/lost', { private: true, members, pulls: [{ number: 1 }] })
  const keeper = await service.signedUp('keeper')
  const lose: Fault['act'] = (request, response) => {
    repository.members = ['keeper']
    faults.status(200, {}, [] as never)(request, response)
  }
  host.fail({ path: /lost\/pulls\/1\/reviews/, act: delayed(300, lose) })
  const first = ingest('cheap/lost#1', token)
  await expect.poll(() => host.callsTo('/repos/cheap/lost/pulls/1/reviews')).toBe(1)
  expect((await ingest('cheap/lost#1', keeper)).status).toBe(200)
  expect((await first).status).toBe(502)
})

test('if the host repeatedly fails to return the diff, concurrent requests still share a fetch', async () => {
  repositoryOf(service, 'cheap/failing', { pulls: [{ number: 1, files: [{ filename: 'big.sql' }] }] })
  const tokens = await Promise.all(Array.from({ length: 8 }, (_, i) => service.signedUp(`waiter-${i}`)))
  host.fail({ path: /failing\/pulls\/1$/, accept: /diff/, times: 99, act: delayed(200, faults.status(500)) })
  const calls = await host.during(async () => {
    const answers = await Promise.all(tokens.map((callerToken) => ingest('cheap/failing#1', callerToken)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
  expect(calls.to(/files/)).toBeLessThanOrEqual(2)
  host.heal()
})

function delayed(milliseconds: number, act: Fault['act']): Fault['act'] {
  return (request, response) => void setTimeout(() => act(request, response), milliseconds)
}

/** The physical position and the writing transaction of every row: both change with every write. */
async function writes(): Promise<Record<string, string>> {
  const tables = ['pull_requests', 'repositories', 'repository_access', 'etags', 'leases', 'sessions', 'users']
  const rows = await Promise.all(
    tables.map(async (table) => {
      const found = await sql<{ state: string | null }>`
        select string_agg(ctid::text || xmin::text, ' ' order by ctid) as state from ${sql.table(table)}`.execute(
        service.ctx.db,
      )
      return [table, found.rows[0]?.state ?? ''] as const
    }),
  )
  return Object.fromEntries(rows)
}
