import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { contract } from '../../src/contract.ts'
import type { OperationId } from '../../src/http/handler.ts'
import { operationIds } from '../support/contract.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const REQUESTS_PER_ROUND = 10
const ROUNDS = 520

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

const params = { owner: 'pallets', repo: 'flask', number: '1' }
const { body: job } = await service.call('generateArticle', {
  token: users[0],
  params,
  headers: { prefer: 'respond-async' },
})
const { body: article } = await service.call('generateArticle', { token: users[0], params })

/** Operations that end their own token or account use a token of their own. */
const FATAL: OperationId[] = ['logOut', 'deleteCurrentUser']
let newcomers = 0
function newcomer(): string {
  newcomers += 1
  return service.host.token(`newcomer-${newcomers % 8}`)
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

/** A relative path segment would lead to the pages instead of the API. */
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

/** Bodies close to the declared one: with missing fields, invalid values and unknown fields. */
function bodyOf(operationId: OperationId): fc.Arbitrary<unknown> {
  const { method, path } = operations[operationId]
  const declared = contract.paths[path]?.[method.toLowerCase()]?.requestBody as DeclaredBody | undefined
  const schema = resolve(declared?.content['application/json'].schema ?? {})
  const good: Record<string, fc.Arbitrary<unknown>> = {
    owner: fc.constantFrom('pallets', 'acme'),
    repo: fc.constantFrom('flask', 'vault'),
    language: fc.constantFrom('en', 'ja', 'fr'),
    force: fc.boolean(),
    hostAccessToken: fc.constantFrom(...users, OWN, OWN, OWN),
  }
  const fields = Object.fromEntries(
    Object.keys(schema.properties ?? {}).map((name) => [
      name,
      fc.oneof({ weight: 4, arbitrary: good[name] ?? word }, { weight: 1, arbitrary: word }, fc.jsonValue()),
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

const request = fc.constantFrom(...operationIds).chain((operationId) =>
  fc.record({
    operationId: fc.constant(operationId),
    caller: fc.constantFrom('user', 'user', 'user', 'user', 'newcomer', 'garbage', 'ended', 'nobody'),
    user: fc.nat({ max: users.length - 1 }),
    params: fc.record({
      owner: mostly(fc.constantFrom('pallets', 'acme')),
      repo: mostly(fc.constantFrom('flask', 'vault')),
      sessionId: mostly(fc.constant(spareSession)),
      number: mostly(fc.constantFrom('1', '1', '1', '2', '99999999999')),
      articleId: mostly(fc.constant<string>(article.data.id)).filter(isNotRelativeSegment),
      langCode: mostly(fc.constantFrom('ja', 'ja', 'ja', 'en')),
      jobId: mostly(fc.constant<string>(job.data.id)).filter(isNotRelativeSegment),
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
        refresh: mostly(fc.boolean().map(String)),
        stranger: word,
      },
      { requiredKeys: [] },
    ),
    keepsUnknown: fc.nat({ max: 4 }).map((n) => n === 0),
    body: bodyOf(operationId),
    contentType: fc.constantFrom(undefined, undefined, undefined, 'text/plain', 'application/json; charset=utf-8', 'x'),
  }),
)
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never

/** Some operations refuse unknown parameters: with them alone, they would hardly ever succeed. */
function declared(operationId: OperationId, query: Request['query']): Request['query'] {
  const operation = operations[operationId]
  if (!('queryNames' in operation)) return query
  const names: readonly string[] = operation.queryNames
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
}

const seen = new Map<OperationId, Map<number, number>>()

async function perform({ operationId, caller, user, params, body, contentType, ...rest }: Request): Promise<void> {
  const fresh = caller === 'newcomer' || (caller === 'user' && FATAL.includes(operationId))
  const known = { user: users[user], newcomer: undefined, garbage: 'xyz', ended, nobody: undefined }
  const token = fresh ? newcomer() : known[caller]
  const sent = JSON.parse(JSON.stringify(body ?? null).replaceAll(`"${OWN}"`, JSON.stringify(token ?? '')))
  const query = rest.keepsUnknown ? rest.query : declared(operationId, rest.query)
  const bodiless = operations[operationId].method === 'GET' || body === undefined
  const { status, body: answer } = await service.call(operationId, {
    token,
    params,
    query,
    ...(bodiless ? {} : { body: sent, headers: contentType ? { 'content-type': contentType } : {} }),
  })
  expect(status, JSON.stringify(answer)).toBeLessThan(500)
  const counts = seen.get(operationId) ?? new Map<number, number>()
  seen.set(operationId, counts.set(status, (counts.get(status) ?? 0) + 1))
}

test('answers 5,200 generated requests without 5xx, undeclared statuses or invalid bodies', {
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
