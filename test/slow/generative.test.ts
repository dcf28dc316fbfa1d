import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { contract } from '../../src/contract.ts'
import type { OperationId } from '../../src/web/api/handler.ts'
import { operationIds } from '../support/contract.ts'
import { startService } from '../support/service.ts'
import { WEBHOOK_SECRET, webhookHeaders } from '../support/webhooks.ts'

const service = await startService({ env: { WEBHOOK_SECRET } })
afterAll(() => service.close())

const REQUESTS_PER_ROUND = 10
const ROUNDS = 260

const pulls = [{ number: 1, files: [{ filename: 'a.txt', patch: '@@ -1 +1 @@\n-a\n+b' }] }]
service.host.repository({ id: 1, owner: 'pallets', name: 'flask', pulls })
service.host.repository({ id: 3, owner: 'pallets', name: 'vault', pulls })
service.host.repository({ id: 4, owner: 'acme', name: 'flask', pulls })
service.host.repository({ id: 2, owner: 'acme', name: 'vault', private: true, members: ['user-1'], pulls })
const users = await Promise.all(Array.from({ length: 5 }, (_, i) => service.signedUp(`user-${i}`)))
const ended = await service.signedUp('ended')
await service.call('logOut', { token: ended })
const spare = service.host.token('user-0')
await service.call('getCurrentUser', { token: spare })
const { body: listed } = await service.call('listSessions', { token: spare })
const spareSession: string = listed.data.find((session: { current: boolean }) => session.current).id
const { id: spareToken } = await service.apiToken(spare)

const params = { owner: 'pallets', repo: 'flask', number: '1' }
const { body: job } = await service.call('generateArticle', {
  token: users[0],
  params,
  headers: { prefer: 'respond-async' },
})
const { body: article } = await service.call('generateArticle', { token: users[0], params })

/** Operations that end or create the session or account of the caller. Each request uses a token of its own. */
const OWN_ACCOUNT: OperationId[] = ['logOut', 'deleteCurrentUser', 'signUp']
let newcomers = 0
function newcomer(): string {
  newcomers += 1
  return service.host.token(`newcomer-${newcomers % 8}`)
}

let accounts = 0
/** The token of a new login, signed up unless the operation is `signUp` itself. */
async function unusedAccount(operationId: OperationId): Promise<string> {
  accounts += 1
  const login = `account-${accounts}`
  return operationId === 'signUp' ? service.host.token(login) : await service.signedUp(login)
}

/** Placeholder for the token of the request itself. */
const OWN = 'own-token'

const word = fc.oneof(
  fc.constantFrom('pallets', 'flask', 'acme', 'vault', 'en', 'ja', '..', '.', '', ' ', '%00', 'null', '__proto__', '0'),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.string({ unit: 'binary-ascii', maxLength: 20 }),
  fc.uuid({ version: 7 }),
)

function mostly<T>(good: fc.Arbitrary<T>): fc.Arbitrary<T | string> {
  return fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: word })
}

/** Excludes ids such as `..`: as a path segment, they would lead to the pages instead of the API. */
const isNotRelativeSegment = (id: string) => !/^\.*$/.test(id)

interface SchemaNode {
  $ref?: string
  properties?: Record<string, SchemaNode>
}
interface DeclaredBody {
  content: { 'application/json': { schema: SchemaNode } }
}
function resolve(node: SchemaNode): SchemaNode {
  const name = node.$ref?.replace('#/components/schemas/', '')
  return name ? (contract.components.schemas[name] as SchemaNode) : node
}

const goodFields: Record<string, fc.Arbitrary<unknown>> = {
  owner: fc.constantFrom('pallets', 'acme'),
  repo: fc.constantFrom('flask', 'vault'),
  language: fc.constantFrom('en', 'ja', 'fr'),
  force: fc.boolean(),
  automaticArticles: fc.constantFrom('off', 'notable', 'everything'),
  includesBots: fc.boolean(),
  description: fc.constantFrom('Wrong.', 'The\0re is\ud800 no such file.'),
  quote: fc.constantFrom('', 'a passage'),
  hostAccessToken: fc.constantFrom(...users, OWN, OWN, OWN),
  action: fc.constantFrom('closed', 'privatized'),
  repository: fc.record({ id: fc.constantFrom(1, 2, 3, 99) }),
  name: fc.constantFrom('My CI', 'a'),
  scopes: fc.constantFrom(['read'], ['write', 'read']),
  expiresAt: fc.constant(new Date(Date.now() + 60 * 60_000).toISOString()),
}

/** Fields that matter although the contract does not declare them. */
const UNDECLARED_FIELDS: Partial<Record<OperationId, string[]>> = { receiveWebhook: ['action', 'repository'] }
/** Names of webhook events: each user sends one of them. */
const EVENTS = ['pull_request', 'repository', 'public', 'ping', 'x']

function fieldsOf(operationId: OperationId): string[] {
  const { method, path } = operations[operationId]
  const declared = contract.paths[path]?.[method.toLowerCase()]?.requestBody as DeclaredBody | undefined
  const { properties = {} } = resolve(declared?.content['application/json'].schema ?? {})
  return [...Object.keys(properties), ...(UNDECLARED_FIELDS[operationId] ?? [])]
}

/** Bodies close to the declared one: with missing fields, invalid values and unknown fields. */
function bodyOf(operationId: OperationId): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    fieldsOf(operationId).map((name) => [
      name,
      fc.oneof({ weight: 4, arbitrary: goodFields[name] ?? word }, { weight: 1, arbitrary: word }, fc.jsonValue()),
    ]),
  )
  const near = fc.record(fields, { requiredKeys: [] })
  const unknownFields = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), {
    maxKeys: 2,
    noNullPrototype: true,
  })
  return fc.oneof(
    { weight: 5, arbitrary: near },
    { weight: 1, arbitrary: fc.tuple(near, unknownFields).map(([known, unknown]) => ({ ...known, ...unknown })) },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

type Caller = 'user' | 'newcomer' | 'account' | 'garbage' | 'ended' | 'anonymous'

const existing = {
  owner: 'pallets',
  repo: 'flask',
  sessionId: spareSession,
  tokenId: spareToken,
  number: '1',
  articleId: article.data.id as string,
  langCode: 'ja',
  jobId: job.data.id as string,
}

/** Requests that can succeed: random requests alone would succeed too seldom to count on. */
function validRequest(operationId: OperationId) {
  const fields = Object.fromEntries(
    fieldsOf(operationId).map((name) => [
      name,
      name === 'hostAccessToken' ? fc.constant(OWN) : (goodFields[name] ?? word),
    ]),
  )
  return fc.record({
    operationId: fc.constant(operationId),
    caller: fc.constant(OWN_ACCOUNT.includes(operationId) ? ('account' as const) : ('user' as const)),
    user: fc.constant(0),
    params: fc.constant(existing),
    query: fc.constant(operationId === 'searchHostRepositories' ? { q: 'flask' } : {}),
    keepsUnknown: fc.constant(false),
    body: Object.keys(fields).length > 0 ? fc.record(fields) : fc.constant(undefined),
    contentType: fc.constant(undefined),
  })
}

function anyRequest(operationId: OperationId) {
  return fc.record({
    operationId: fc.constant(operationId),
    caller: fc.constantFrom<Caller>('user', 'user', 'user', 'user', 'newcomer', 'garbage', 'ended', 'anonymous'),
    user: fc.nat({ max: users.length - 1 }),
    params: fc.record({
      owner: mostly(fc.constantFrom('pallets', 'acme')),
      repo: mostly(fc.constantFrom('flask', 'vault')),
      sessionId: mostly(fc.constant(spareSession)),
      tokenId: mostly(fc.constant(spareToken)),
      number: mostly(fc.constantFrom('1', '1', '1', '2', '99999999999')),
      articleId: mostly(fc.constant(existing.articleId)).filter(isNotRelativeSegment),
      langCode: mostly(fc.constantFrom('ja', 'ja', 'ja', 'en')),
      jobId: mostly(fc.constant(existing.jobId)).filter(isNotRelativeSegment),
    }),
    query: fc.record(
      {
        limit: mostly(fc.integer({ min: -5, max: 120 })),
        offset: mostly(fc.oneof(fc.integer({ min: -5, max: 50 }), fc.integer({ min: 0, max: 12_000 }))),
        state: mostly(fc.constantFrom('open', 'closed', 'all')),
        period: mostly(fc.constantFrom('daily', 'weekly', 'monthly', 'all')),
        language: mostly(fc.constantFrom('all', 'ja', 'en')),
        lang: mostly(fc.constantFrom('ja', 'en')),
        sort: mostly(fc.constantFrom('likedAt_desc', 'likedAt_asc', 'newest', 'merged', 'likes', 'relevance')),
        q: mostly(fc.constantFrom('flask', 'type:fix', 'repo:pallets/flask lang:ja', '"a b" -c', '設定')),
        repository: mostly(fc.constantFrom('pallets/flask', 'acme/vault')),
        changeType: mostly(fc.constantFrom('FIX', 'FEAT')),
        compatibility: mostly(fc.constantFrom('none', 'breaking')),
        author: mostly(fc.constant('author')),
        label: word,
        mergedSince: mostly(fc.constant('2026-01-01T00:00:00Z')),
        cursor: mostly(fc.constant(Buffer.from('[0,0,"00000000-0000-0000-0000-000000000000"]').toString('base64url'))),
        status: mostly(fc.constantFrom('queued', 'waiting', 'written', 'skipped', 'failed')),
        wanted: mostly(fc.boolean().map(String)),
        refresh: mostly(fc.boolean().map(String)),
        stranger: word,
      },
      { requiredKeys: [] },
    ),
    keepsUnknown: fc.nat({ max: 4 }).map((n) => n === 0),
    body: bodyOf(operationId),
    contentType: fc.constantFrom(undefined, undefined, undefined, 'text/plain', 'application/json; charset=utf-8', 'x'),
  })
}

const request = fc
  .constantFrom(...operationIds)
  .chain((operationId) =>
    fc.oneof(
      { weight: 4, arbitrary: anyRequest(operationId) },
      { weight: 1, arbitrary: validRequest(operationId) as ReturnType<typeof anyRequest> },
    ),
  )
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never

/** Drops unknown query parameters, because an operation would otherwise hardly ever succeed. */
function declared(operationId: OperationId, query: Request['query']): Request['query'] {
  const names: readonly string[] = operations[operationId].queryNames
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
}

const seen = new Map<OperationId, Map<number, number>>()

async function perform({ operationId, caller, user, params, body, contentType, ...rest }: Request): Promise<void> {
  const fresh = caller === 'newcomer' || (caller === 'user' && OWN_ACCOUNT.includes(operationId))
  const known: Partial<Record<Caller, string | undefined>> = { user: users[user], garbage: 'xyz', ended }
  const token = caller === 'account' ? await unusedAccount(operationId) : fresh ? newcomer() : known[caller]
  const sent = JSON.parse(JSON.stringify(body ?? null).replaceAll(`"${OWN}"`, JSON.stringify(token ?? '')))
  const query = rest.keepsUnknown ? rest.query : declared(operationId, rest.query)
  const bodiless = operations[operationId].method === 'GET' || body === undefined
  const isSigned = operationId === 'receiveWebhook' && caller === 'user'
  const headers = {
    ...(isSigned && webhookHeaders(EVENTS[user] ?? '', JSON.stringify(sent))),
    ...(contentType && { 'content-type': contentType }),
  }
  const { status, body: answer } = await service.call(operationId, {
    token,
    params,
    query,
    ...(bodiless ? {} : { body: sent, headers }),
  })
  expect(status, JSON.stringify(answer)).toBeLessThan(500)
  const counts = seen.get(operationId) ?? new Map<number, number>()
  seen.set(operationId, counts.set(status, (counts.get(status) ?? 0) + 1))
}

test('answers 2,600 generated requests without 5xx, undeclared statuses or invalid bodies', {
  timeout: 310_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: REQUESTS_PER_ROUND, maxLength: REQUESTS_PER_ROUND }),
      async (round) => {
        await Promise.all(round.map(perform))
      },
    ),
    { numRuns: ROUNDS, interruptAfterTimeLimit: 300_000, markInterruptAsFailure: true, endOnFailure: true },
  )
  const total = [...seen.values()].flatMap((counts) => [...counts.values()]).reduce((sum, count) => sum + count, 0)
  expect(total).toBe(REQUESTS_PER_ROUND * ROUNDS)
  for (const operationId of operationIds) {
    const statuses = [...(seen.get(operationId)?.keys() ?? [])]
    expect(
      statuses.some((status) => status < 300),
      `${operationId} never succeeded`,
    ).toBe(true)
  }
})
