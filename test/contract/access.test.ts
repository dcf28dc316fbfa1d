import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { aPullRequest, asks, type Owner } from '../support/asks.ts'
import type { Ask } from '../support/client.ts'
import { operationIds } from '../support/contract.ts'
import { type FakeIssuer, startFakeIssuer } from '../support/fakeIssuer.ts'
import { changed } from '../support/pulls.ts'
import { type Service, startService } from '../support/service.ts'
import { WEBHOOK_SECRET } from '../support/webhooks.ts'

const issuer = await startFakeIssuer()
afterAll(() => issuer.close())

interface Scheme {
  name: string
  issuer?: FakeIssuer
  token(service: Service, login: string): Promise<string>
  expired(service: Service, login: string): Promise<string>
  signUp(service: Service, login: string): Ask['body']
}

const schemes: Scheme[] = [
  {
    name: 'host tokens',
    token: async (service, login) => service.host.token(login),
    async expired(service, login) {
      const token = service.host.token(login)
      await service.call('getCurrentUser', { token })
      service.host.revoke(token)
      service.advance(11 * 60_000)
      return token
    },
    signUp: () => undefined,
  },
  {
    name: 'JWTs',
    issuer,
    token: (_, login) => issuer.token({ sub: login, jti: crypto.randomUUID() }),
    async expired(service, login) {
      const token = await issuer.token({ sub: login, exp: Math.floor(Date.now() / 1000) + 60 })
      await service.call('getCurrentUser', { token })
      service.advance(61_000)
      return token
    },
    signUp: (service, login) => ({ hostAccessToken: service.host.token(login) }),
  },
]

describe.each(schemes)('access with $name', async (scheme) => {
  const service = await startService({ env: { WEBHOOK_SECRET }, ...(scheme.issuer && { issuer: scheme.issuer }) })
  afterAll(() => service.close())
  service.host.repository({
    id: 1,
    owner: 'acme',
    name: 'vault',
    private: true,
    members: ['owner'],
    pulls: [{ number: 1, title: 'acme/vault opens', files: [changed('door.ts')] }],
  })

  const newUser = async (login: string) => {
    const token = await scheme.token(service, login)
    const { status } = await service.call('signUp', { token, body: scheme.signUp(service, login) })
    expect([201, 409]).toContain(status)
    return token
  }
  const ownerToken = await newUser('owner')
  const { body: favorite } = await service.call('registerFavorite', {
    token: ownerToken,
    body: { owner: 'acme', repo: 'vault' },
  })
  const { body: job } = await service.call('generateArticle', {
    token: ownerToken,
    params: aPullRequest,
    headers: { prefer: 'respond-async' },
  })
  const { body: article } = await service.call('generateArticle', { token: ownerToken, params: aPullRequest })
  const liked = { articleId: article.data.id, langCode: 'ja' }
  expect((await service.call('likeArticle', { token: ownerToken, params: liked })).status).toBe(201)
  const { body: sessions } = await service.call('listSessions', { token: ownerToken })
  const { body: apiToken } = await service.call('createToken', {
    token: ownerToken,
    ...asks.createToken.ask?.({} as Owner),
  })
  const owner: Owner = {
    sessionId: sessions.data[0].id,
    articleId: article.data.id,
    jobId: job.data.id,
    tokenId: apiToken.data.id,
  }
  const loggedOut = await newUser('gone')
  await service.call('logOut', { token: loggedOut })
  const refused: Record<string, string | undefined> = {
    'no token': undefined,
    garbage: 'garbage',
    expired: await scheme.expired(service, 'owner'),
    'logged out': loggedOut,
  }

  test.each(operationIds)('%s accepts or refuses callers as its security setting declares', async (operationId) => {
    const { security } = operations[operationId] as { security: 'none' | 'optional' | 'bearer' }
    const { ask, anonymous, anotherUser } = asks[operationId]
    for (const [kind, token] of Object.entries(refused)) {
      const { status, body } = await service.call(operationId, { ...ask?.(owner), token })
      const open = security === 'none' || (security === 'optional' && token === undefined)
      if (open) expect([kind, anonymous ? status === anonymous : status < 400]).toEqual([kind, true])
      else expect([kind, status, body.error.code]).toEqual([kind, 401, 'UNAUTHENTICATED'])
    }
    const other = await newUser(`other-${operationId}`)
    const { status, body } = await service.call(operationId, { ...ask?.(owner), token: other })
    expect(status).toBe(anotherUser)
    const shown = JSON.stringify(body ?? {})
    for (const secret of [favorite.data.id, favorite.data.userId, ...Object.values(owner), 'acme/vault'])
      expect(shown).not.toContain(secret)
  })

  test('after the calls of other users, the owner still has their favorite, session and like', async () => {
    const { body } = await service.call('listFavorites', { token: ownerToken })
    expect(body.data.data).toEqual([{ ...favorite.data, unreadCount: 1 }])
    expect((await service.call('listSessions', { token: ownerToken })).body.data[0].revokedAt).toBeNull()
    const { body: likes } = await service.call('listLikedArticles', { token: ownerToken })
    expect(likes.data.data.map((like: { articleId: string }) => like.articleId)).toEqual([owner.articleId])
  })
})
