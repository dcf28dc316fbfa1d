import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Exchange } from '../../scripts/fakeHost/fakeHost.ts'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import type { CodeHost } from '../../src/host/codeHost.ts'
import { startFakeIssuer } from '../support/fakeIssuer.ts'
import { merged, SERVICE_TOKEN, startWatchingService } from '../support/merges.ts'
import { changed, paramsOf, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'
import { deliveryOf, WEBHOOK_SECRET } from '../support/webhooks.ts'
import { readHostDescription } from './support/hostDescription.ts'

const description = readHostDescription()
const issuer = await startFakeIssuer()
const service = await startWatchingService({ WEBHOOK_SECRET })
/** A service that signs users up by the host user id in the token of the issuer. */
const trusting = await startService({
  issuer,
  beside: service,
  env: { OIDC_HOST_USER_ID_CLAIM: '/host_id', CODE_HOST_TOKEN: SERVICE_TOKEN },
})
afterAll(async () => {
  await trusting.close()
  await service.close()
  await issuer.close()
})

const { host } = service
const { ingest, ingested } = pullsOf(service)
const exchanges: Exchange[] = []
host.onExchange((exchange) => exchanges.push(exchange))
const called = new Set<string>()
for (const { ctx } of [service, trusting]) ctx.host = noting(ctx.host)

/** Records which functions of the code host are called. */
function noting(codeHost: CodeHost): CodeHost {
  return new Proxy(codeHost, {
    get(target, name: string & keyof CodeHost) {
      called.add(name)
      return target[name]
    },
  })
}

const at = '2026-01-02T03:04:05Z'
const everything: FakePull = {
  number: 1,
  body: 'Fixes #2, see #3, #4 and #1234.',
  labels: ['bug', 'good first issue'],
  milestone: '2.0',
  commits: Array.from({ length: 120 }, (_, i) => ({ message: `Step ${i}`, author: i === 0 ? null : 'author' })),
  files: [
    changed('src/ä b.ts', { status: 'added', additions: 3000 }),
    { filename: 'new.ts', status: 'renamed', previous_filename: 'old.ts', additions: 0, deletions: 0 },
    ...Array.from({ length: 120 }, (_, i) => changed(`src/part-${i}.ts`)),
  ],
  comments: [{ author: 'reader', body: 'Why?', at }],
  reviewComments: [{ author: null, body: 'This line', at, path: 'new.ts', line: 1 }],
  reviews: [
    { author: 'reviewer', body: 'Good.', at, state: 'APPROVED' },
    { author: 'reviewer', body: '', at, state: 'PENDING' },
  ],
}

/** Signs users up as members of an organization: publicly, privately, with a token that may not tell, and not at all. */
async function signMembersUp(): Promise<void> {
  const { config } = service.ctx
  const open = config.signUp
  config.signUp = { isOpen: false, organizations: ['acme'], logins: [], isDefault: false }
  const acme = host.organization({ name: 'acme', members: ['shown', 'hidden'], publicMembers: ['shown'] })
  for (const [login, forbidsTokens, expected] of [
    ['shown', false, 201],
    ['hidden', true, 403],
    ['hidden', false, 201],
    ['stranger', false, 403],
  ] as const) {
    acme.forbidsTokens = forbidsTokens
    expect((await service.call('signUp', { token: host.token(login) })).status).toBe(expected)
  }
  config.signUp = open
}

/** Makes the service call every function of the code host. */
async function driveService(): Promise<void> {
  await signMembersUp()
  const token = await service.signedUp('hanako')
  await service.call('saveHostToken', { token, body: { hostAccessToken: 'made-up' } })
  const host_id = host.idOf('vera')
  host.token('vera')
  for (const id of [host_id, 7]) {
    const { status } = await trusting.call('signUp', { token: await issuer.token({ sub: `user ${id}`, host_id: id }) })
    expect(status).toBe(id === host_id ? 201 : 403)
  }
  const { id } = repositoryOf(service, 'acme/kettle', {
    description: 'Boils water.',
    stars: 12,
    pulls: [everything, merged(5, 1), { number: 6, state: 'open', diff: null, files: [changed('a.ts')] }],
    issues: [
      { number: 2, labels: ['bug'] },
      { number: 3, movedTo: { repository: 9, number: 1 } },
    ],
    contents: { '.gitattributes': '*.gen.ts linguist-generated' },
  })
  host.moved('acme/samovar', id)
  const { id: described } = repositoryOf(service, 'acme/secret', { private: true, describedTo: ['hanako'] })
  for (const repo of ['kettle', 'samovar', 'secret', 'absent'])
    await service.call('registerFavorite', { token, body: { owner: 'acme', repo } })
  await service.call('searchHostRepositories', { token, query: { q: 'kettle' } })
  for (const place of ['acme/kettle#1', 'acme/kettle#1', 'acme/samovar#6']) await ingested(place, token)
  for (const place of ['acme/kettle#404', 'acme/absent#1']) expect((await ingest(place, token)).status).toBe(404)
  for (const state of ['open', 'closed', 'all', 'all'])
    await service.call('listPullRequests', { token, params: paramsOf('acme/kettle#1'), query: { state } })
  await service.poll()
  host.repositories.find((repository) => repository.id === id)?.pulls?.push(merged(7, 200))
  await service.pollDue()
  for (const hostRepoId of [id, described]) {
    const delivery = { action: 'edited', repository: { id: hostRepoId } }
    await service.call('receiveWebhook', deliveryOf('repository', delivery))
  }
  await vi.waitFor(() => expect(host.callsTo(`/repositories/${id}`)).toBeGreaterThan(0), 10_000)
}

beforeAll(driveService)

test('the service has called every function of the code host', () => {
  // `tryNow` makes no request, so it does not count.
  const calling = Object.keys(service.ctx.host).filter((name) => name !== 'tryNow')
  expect([...called].filter((name) => name !== 'tryNow').sort()).toEqual(calling.sort())
})

test("every request and every answer fits GitHub's description of its API", () => {
  const operations = exchanges.map((exchange) => `${description.operationOf(exchange)} ${exchange.status}`)
  expect([...new Set(operations)].sort()).toMatchInlineSnapshot(`
    [
      "GET /orgs/{org}/public_members/{username} 204",
      "GET /orgs/{org}/public_members/{username} 404",
      "GET /repos/{owner}/{repo} 200",
      "GET /repos/{owner}/{repo} 301",
      "GET /repos/{owner}/{repo} 404",
      "GET /repos/{owner}/{repo}/contents/{path} 200",
      "GET /repos/{owner}/{repo}/issues/{issue_number} 200",
      "GET /repos/{owner}/{repo}/issues/{issue_number} 301",
      "GET /repos/{owner}/{repo}/issues/{issue_number} 404",
      "GET /repos/{owner}/{repo}/issues/{issue_number}/comments 200",
      "GET /repos/{owner}/{repo}/pulls 200",
      "GET /repos/{owner}/{repo}/pulls 403",
      "GET /repos/{owner}/{repo}/pulls/{pull_number} 200",
      "GET /repos/{owner}/{repo}/pulls/{pull_number} 301",
      "GET /repos/{owner}/{repo}/pulls/{pull_number} 304",
      "GET /repos/{owner}/{repo}/pulls/{pull_number} 404",
      "GET /repos/{owner}/{repo}/pulls/{pull_number} 406",
      "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments 200",
      "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits 200",
      "GET /repos/{owner}/{repo}/pulls/{pull_number}/files 200",
      "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews 200",
      "GET /search/repositories 200",
      "GET /user 200",
      "GET /user 401",
      "GET /user/memberships/orgs/{org} 200",
      "GET /user/memberships/orgs/{org} 403",
      "GET /user/memberships/orgs/{org} 404",
      "GET /user/{account_id} 200",
      "GET /user/{account_id} 404",
    ]
  `)
  const faults = exchanges.flatMap((exchange) =>
    description.faultsOf(exchange).map((fault) => `${exchange.method} ${exchange.url.pathname}: ${fault}`),
  )
  expect([...new Set(faults)]).toEqual([])
})

test.each<[string, (exchange: Exchange) => Partial<Exchange>]>([
  ['an unknown path', ({ url }) => ({ url: new URL(`/pull-requests${url.pathname}`, url) })],
  ['an unknown method', () => ({ method: 'PUT' })],
  ['an unknown parameter', ({ url }) => ({ url: new URL('?expand=1', url) })],
  ['a parameter with a wrong value', ({ url }) => ({ url: new URL(url.pathname.replace(/\d+$/, 'first'), url) })],
  ['an unknown media type', () => ({ accept: 'application/vnd.github.squirrel+json' })],
  ['another version', () => ({ apiVersion: '2026-03-10' })],
  ['no version', () => ({ apiVersion: undefined })],
  ['an unknown status', () => ({ status: 202 })],
  ['a field that is missing', ({ text }) => ({ text: text.replace('"merged":', '"wasMerged":') })],
  ['a wrong value', ({ text }) => ({ text: text.replace(/"state":"\w+"/, '"state":"merged"') })],
  ['a wrong type', ({ text }) => ({ text: text.replace(/"commits":\d+/, '"commits":null') })],
  ['an invalid address', ({ text }) => ({ text: text.replace(/"html_url":"[^"]+"/, '"html_url":"acme"') })],
  ['another content type', () => ({ headers: { 'content-type': 'text/plain' } })],
])('the comparison with the description finds %s', (_, change) => {
  const exchange = exchanges.find(
    (candidate) =>
      candidate.url.pathname.endsWith('/pulls/1') && candidate.text.startsWith('{') && candidate.status === 200,
  )
  if (!exchange) throw new Error('There is no pull request.')
  expect(description.faultsOf(exchange)).toEqual([])
  expect(description.faultsOf({ ...exchange, ...change(exchange) })).not.toEqual([])
})
