import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { type HostCall, reportCalls } from '../../src/host/transport.ts'
import { Secret } from '../../src/lib/secret.ts'
import { changed, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const MINUTES = 60_000
const service = await startService()
const { host } = service
afterAll(() => service.close())
afterEach(() => host.heal())

const { ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')

test('sends the API version and the media type with every request to the host', async () => {
  const sent = new Set<string>()
  host.onExchange(({ accept, apiVersion }) => sent.add(`${apiVersion} ${accept}`))
  const contents = { '.gitattributes': '' }
  const files = [changed('a.ts', { additions: 3000 })]
  repositoryOf(service, 'acme/kettle', { contents, pulls: [{ number: 1, body: 'Fixes #2', files }] })
  await ingested('acme/kettle#1', token)
  await service.call('searchHostRepositories', { token, query: { q: 'kettle' } })
  await service.signedUp('jiro')
  const types = ['+json', '.diff', '.raw'].map((type) => `2022-11-28 application/vnd.github${type}`)
  expect([...sent].toSorted()).toEqual(types)
})

test.each(['issues/1/comments', 'pulls/1/comments', 'pulls/1/reviews'])(
  'reads the rest of a pull request if the host returns 410 for %s',
  async (part) => {
    const comments = [{ author: 'x', body: 'Why?', at: '2026-01-01T00:00:00Z' }]
    const name = `acme/without-${part.replaceAll('/', '-')}`
    const pull = { number: 1, comments, reviewComments: comments, reviews: comments, files: [changed('a.ts')] }
    repositoryOf(service, name, { pulls: [pull] })
    host.fail({ path: new RegExp(`${part}$`), times: 9, act: faults.status(410) })
    expect((await ingested(`${name}#1`, token)).comments).toHaveLength(2)
  },
)

test('if the host does not find a repository by its id, looks for it once by its name', async () => {
  const { id } = repositoryOf(service, 'acme/unlisted', { pulls: [{ number: 1 }] })
  await ingested('acme/unlisted#1', token)
  service.advance(61 * MINUTES)
  host.fail({ path: new RegExp(`^/repositories/${id}$`), times: 9, act: faults.status(404) })
  const calls = await host.during(async () => expect((await get('acme/unlisted#1')).status).toBe(200))
  expect(calls.paths).toEqual([`/repositories/${id}`, '/repos/acme/unlisted'].toSorted())
})

test.each([403, 410, 451])(
  'hides a repository from all callers if the host returns %d for it without a token',
  async (status) => {
    const { id } = repositoryOf(service, `acme/blocked-${status}`, { pulls: [{ number: 1 }] })
    await ingested(`acme/blocked-${status}#1`, token)
    service.advance(61 * MINUTES)
    host.fail({ path: new RegExp(`^/repositories/${id}$`), times: 9, act: faults.status(status) })
    const calls = await host.during(async () => expect((await get(`acme/blocked-${status}#1`)).status).toBe(404))
    expect(calls.paths).toEqual([`/repositories/${id}`])
  },
)

test('a new repository does not show the pull requests of a deleted one with the same name', async () => {
  const former = repositoryOf(service, 'acme/anew', { pulls: [{ number: 1 }] })
  await ingested('acme/anew#1', token)
  host.remove(former)
  repositoryOf(service, 'acme/anew', { pulls: [{ number: 1 }] })
  service.advance(61 * MINUTES)
  expect((await get('acme/anew#1')).status).toBe(404)
})

test.each([
  ['service', { authorization: 'Bearer of-service' }],
  ['user', { authorization: 'Bearer of-user' }],
  ['none', {}],
])('reports what the rate limit leaves to the token of a call: %s', async (token, headers) => {
  const calls: HostCall[] = []
  const answer = async () => new Response('', { headers: { 'x-ratelimit-remaining': '7' } })
  const send = reportCalls(answer, (call) => void calls.push(call), new Secret('of-service'))
  await send('https://host.example.com', { headers })
  expect(calls).toMatchObject([{ token, remaining: 7, status: 200 }])
})
