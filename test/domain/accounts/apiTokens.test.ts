import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '../../../generated/operations.ts'
import { endSessions } from '../../../src/domain/administration/accounts.ts'
import { sweepInTurn } from '../../../src/runtime/maintenance/sweeping.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { asks, type Owner } from '../../support/asks.ts'
import { openBrowser } from '../../support/browser.ts'
import type { Answer } from '../../support/client.ts'
import { operationIds } from '../../support/contract.ts'
import { startFakeIssuer } from '../../support/fakeIssuer.ts'
import { connectClient, expectError, post, toolCall } from '../../support/mcp.ts'
import { repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const issuer = await startFakeIssuer()
afterAll(() => issuer.close())

const DAY = 24 * 60 * 60_000
const SOMEBODYS = '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a01'
const nothing: Owner = { sessionId: SOMEBODYS, articleId: SOMEBODYS, jobId: SOMEBODYS, tokenId: SOMEBODYS }
/** What API tokens may not do, and the changes that a token with the scope `read` may make. */
const NEVER = [
  ...['signUp', 'saveHostToken', 'listSessions', 'revokeSession', 'deleteCurrentUser'],
  ...['createToken', 'listTokens', 'revokeToken'],
]
const READERS_MAY_CHANGE = ['logOut', 'markFavoriteSeen']

const errorOf = ({ status, body }: Answer) => [status, body.error.code, body.error.details?.reason]
const unknownToken = () => `pp_${randomBytes(32).toString('hex')}`

const schemes = [
  { name: 'host tokens', issuer: undefined },
  { name: 'JWTs', issuer },
]

describe.each(schemes)('API tokens beside $name', async (scheme) => {
  const service = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' }, ...(scheme.issuer && { issuer }) })
  const { host, ctx } = service
  afterAll(() => service.close())

  /** Signs up and returns a token, with the access token that is saved for the account. */
  async function signedUp(login: string): Promise<string> {
    const token = scheme.issuer ? await issuer.token({ sub: login }) : host.token(login)
    const { status } = await service.call('signUp', { token, body: { hostAccessToken: host.token(login) } })
    expect(status).toBe(201)
    return token
  }
  const me = (token: string) => service.call('getCurrentUser', { token })

  test('are not sessions in the list of sessions, and cannot be ended as such', async () => {
    const token = await signedUp('visitor')
    const { id, token: secret } = await service.apiToken(token)
    expect((await me(secret)).status).toBe(200)
    const { body } = await service.call('listSessions', { token })
    expect(body.data).toMatchObject([{ current: true }])
    expect((await service.call('revokeSession', { token, params: { sessionId: id } })).status).toBe(404)
    expect((await service.call('revokeToken', { token, params: { tokenId: body.data[0].id } })).status).toBe(404)
  })

  test('may do what the scope of each operation says, and never manage the account', async () => {
    const scopes = Object.entries(operations).map(([id, { tokenScope, method }]) => [id, tokenScope, method] as const)
    expect(
      scopes
        .filter(([, scope]) => scope === 'none')
        .map(([id]) => id)
        .sort(),
    ).toEqual(NEVER.toSorted())
    const byMethod = scopes.filter(([, scope, method]) => scope === (method === 'GET' ? 'read' : 'write'))
    expect([...byMethod.map(([id]) => id), ...NEVER, ...READERS_MAY_CHANGE].sort()).toEqual(
      Object.keys(operations).sort(),
    )

    const owner = await signedUp('scoped')
    for (const scope of ['read', 'write'] as const)
      for (const operationId of operationIds) {
        const { tokenScope, security } = operations[operationId]
        const { token } = await service.apiToken(owner, [scope])
        const answer = await service.call(operationId, { ...asks[operationId].ask?.(nothing), token })
        const reason = tokenScope === 'none' ? 'token_not_allowed' : 'token_scope'
        const isRefused = tokenScope === 'none' || (tokenScope === 'write' && scope === 'read')
        if (security !== 'none' && isRefused) expect(errorOf(answer), operationId).toEqual([403, 'FORBIDDEN', reason])
        else expect([operationId, answer.status]).toEqual([operationId, expect.not.toBeOneOf([401, 403])])
        if (operationId !== 'logOut')
          await ctx.db.deleteFrom('sessions').where('token_scopes', 'is not', null).execute()
      }
  })

  test('like articles only with the scope write, although a like authenticates in its own statement', async () => {
    const owner = await signedUp('liker')
    const [read, write] = [await service.apiToken(owner, ['read']), await service.apiToken(owner)]
    const { id: articleId } = await articlesOf(service).generated(aPull(service), owner, { language: 'ja' })
    const like = ({ token }: { token: string }) =>
      service.call('likeArticle', { token, params: { articleId, langCode: 'ja' } })
    expect(errorOf(await like(read))).toEqual([403, 'FORBIDDEN', 'token_scope'])
    expect((await like(write)).body.data).toMatchObject({ likeCount: 1, alreadyLiked: false })
    const unlike = { token: read.token, params: { articleId, langCode: 'ja' } }
    expect(errorOf(await service.call('unlikeArticle', unlike))).toEqual([403, 'FORBIDDEN', 'token_scope'])
    expect(
      (await service.call('getArticleById', { token: read.token, params: { articleId } })).body.data,
    ).toMatchObject({
      totalLikeCount: 1,
    })
  })

  test('log out alone', async () => {
    const owner = await signedUp('leaver')
    const [ended, kept] = [await service.apiToken(owner, ['read']), await service.apiToken(owner)]
    expect((await service.call('logOut', { token: ended.token })).status).toBe(200)
    expect((await me(ended.token)).body.message).toBe('This token was revoked.')
    expect((await service.call('likeArticle', { token: ended.token, ...asks.likeArticle.ask?.(nothing) })).status).toBe(
      401,
    )
    for (const token of [kept.token, owner]) expect((await me(token)).status).toBe(200)
  })

  test('end with the account, and when the operator ends all sessions of a user', async () => {
    const deleted = await signedUp('deleted')
    const gone = await service.apiToken(deleted)
    expect((await service.call('deleteCurrentUser', { token: deleted })).status).toBe(204)
    const refused = await me(gone.token)
    expect([refused.status, refused.body.message]).toEqual([
      401,
      expect.stringContaining('There is no such API token.'),
    ])
    await signedUp('deleted-again')
    const ended = await service.apiToken(await signedUp('ended'))
    await endSessions(ctx.db, 'ended', { by: 'operator', note: null, at: ctx.now() })
    expect((await me(ended.token)).body.message).toBe('This token was revoked.')
  })

  test('are kept while they are unused, and listed for 30 days after they expired', async () => {
    const token = await signedUp('keeper')
    const inDays = (days: number) => new Date(ctx.now().getTime() + days * DAY).toISOString()
    const [short, long] = [
      await service.apiToken(token, ['read'], inDays(1)),
      await service.apiToken(token, ['read'], inDays(60)),
    ]
    const after = async (days: number) => {
      service.advance(days * DAY)
      await sweepInTurn(ctx, new AbortController().signal)
      return [(await me(short.token)).body.message, (await me(long.token)).status]
    }
    expect(await after(30)).toEqual(['This token has expired.', 200])
    expect(await after(2)).toEqual([expect.stringContaining('may have expired long ago'), 200])
    service.advance(-32 * DAY)
  })

  test('see private repositories as far as the saved token of the account does', async () => {
    const { name } = repositoryOf(service, 'acme/cellar', {
      private: true,
      members: ['member'],
      pulls: [{ number: 1 }],
    })
    const params = { owner: 'acme', repo: name, number: '1' }
    const owner = await signedUp('member')
    const { token } = await service.apiToken(owner, ['read'])
    const write = await service.apiToken(owner)
    expect((await service.call('ingestPullRequest', { token: write.token, params })).status).toBe(200)
    expect((await service.call('getPullRequest', { token, params })).status).toBe(200)

    const weak = host.token('member')
    host.fail({
      path: /cellar|repositories\/\d+/,
      times: 100,
      act: (request, response) =>
        request.headers.authorization === `Bearer ${weak}`
          ? response.writeHead(404).end('{}')
          : host.answer(request, response),
    })
    expect((await service.call('saveHostToken', { token: owner, body: { hostAccessToken: weak } })).status).toBe(200)
    for (const each of [token, write.token])
      expect((await service.call('getPullRequest', { token: each, params })).status).toBe(404)
    host.heal()
  })

  test('need a saved token to reach the code host, and are never sent there', async () => {
    const token = host.token('unsaved')
    const creator = scheme.issuer ? await issuer.token({ sub: 'unsaved' }) : token
    const body = scheme.issuer ? { hostAccessToken: token } : {}
    expect((await service.call('signUp', { token: creator, body })).status).toBe(201)
    await ctx.db.deleteFrom('host_tokens').execute()
    const own = await service.apiToken(creator)
    const { count } = await host.during(async () => {
      const added = await service.call('addFavorite', { token: own.token, body: { owner: 'acme', repo: 'any' } })
      expect(errorOf(added)).toEqual([403, 'HOST_TOKEN_REQUIRED', undefined])
      const saved = await service.call('saveHostToken', { token: creator, body: { hostAccessToken: own.token } })
      expect(errorOf(saved)).toEqual([401, 'HOST_TOKEN_INVALID', undefined])
      const browser = openBrowser(service.url)
      expect((await browser.submit('/sign-in', { token: own.token })).status).toBe(400)
      expect((await browser.ask('/users/me', { headers: { cookie: `pullpress_session=${own.token}` } })).status).toBe(
        401,
      )
    })
    expect(count).toBe(0)
  })

  test('are counted as refused if they are unknown, without a call to the code host', async () => {
    const from = { headers: { 'x-forwarded-for': '203.0.113.7' } }
    const ask = () => service.call('listLikedArticles', { token: unknownToken(), ...from })
    const { count } = await host.during(async () => {
      const statuses = []
      for (let i = 0; i < 61; i++) statuses.push((await ask()).status)
      expect(statuses).toEqual([...Array(60).fill(401), 429])
    })
    expect(count).toBe(0)
    const { token } = await service.apiToken(await signedUp('neighbor'))
    expect((await service.call('getCurrentUser', { token, ...from })).status).toBe(200)
  })

  test('reach no log line, even if a client sends one in a path', async () => {
    const owner = await signedUp('careless')
    const { token } = await service.apiToken(owner)
    await service.call('revokeToken', { token: owner, params: { tokenId: token } })
    await service.send('GET', `/${token.slice(0, 40)}`)
    ctx.log.warn({ unexpected: token }, `The token is ${token}.`)
    const lines = service.logged.filter((line) => line.includes('pp_[redacted]'))
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toContain(token.slice(3, 19))
  })

  test('may read with MCP, and ask for articles with the scope write', async () => {
    const owner = await signedUp('assisted')
    const [read, write] = [await service.apiToken(owner, ['read']), await service.apiToken(owner)]
    const pullRequest = aPull(service)
    const reader = await connectClient(service, '2025-06-18', read.token)
    expect((await reader.call('search_articles', { query: 'x' })).isError).toBe(false)
    const refused = await reader.call('ask_for_article', { pullRequest })
    expectError(refused, 'FORBIDDEN')
    expect(refused.error.details.reason).toBe('token_scope')
    const writer = await connectClient(service, '2026-07-28', write.token)
    const asked = await writer.call('ask_for_article', { pullRequest })
    expect([asked.isError, asked.text]).toEqual([false, expect.stringContaining(`about ${pullRequest}`)])
    expect((await articlesOf(service).get(pullRequest, read.token)).status).toBe(200)
    const unknown = await post(service, toolCall('search_articles', { query: 'x' }), {
      authorization: `Bearer ${unknownToken()}`,
    })
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ])
  })
})
