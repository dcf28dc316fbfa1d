import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { favoritesOf } from '../support/favorites.ts'
import { startService } from '../support/service.ts'

const service = await startService({ env: { ARTICLE_QUOTA_PER_DAY: '5', RATE_LIMITS: 'on' } })
afterAll(() => service.close())
const { generated } = articlesOf(service)

async function usage(token: string): Promise<Record<string, { limit: number; used: number; resetsAt: string | null }>> {
  const { status, body } = await service.call('getUsage', { token })
  expect(status).toBe(200)
  return Object.fromEntries(body.data.map(({ name, ...quota }: { name: string }) => [name, quota]))
}

test('returns each quota with its limit, what is used of it and when it resets', async () => {
  const token = await service.signedUp('counting')
  const midnight = new Date(service.ctx.now())
  midnight.setUTCHours(24, 0, 0, 0)
  expect(await usage(token)).toMatchObject({
    articles: { limit: 5, used: 0, resetsAt: null },
    mistake_reports: { limit: 20, used: 0, resetsAt: null },
    favorites: { limit: 100, used: 0, resetsAt: null },
    api_tokens: { limit: 20, used: 0, resetsAt: null },
    generation: { used: 0, resetsAt: null },
  })
  const name = aPull(service)
  const { id: articleId } = await generated(name, token)
  await favoritesOf(service).favorite(token, name.split('#')[0] ?? '')
  const params = { articleId, langCode: 'ja' }
  expect((await service.call('reportMistake', { token, params, body: { description: 'Wrong.' } })).status).toBe(201)
  const used = await usage(token)
  expect(used).toMatchObject({
    articles: { limit: 5, used: 1, resetsAt: midnight.toISOString() },
    mistake_reports: { used: 1, resetsAt: midnight.toISOString() },
    favorites: { used: 1, resetsAt: null },
  })
  expect(used['generation']?.used).toBeGreaterThan(0)
  expect(new Date(used['generation']?.resetsAt ?? 0).getTime() - service.ctx.now().getTime()).toBeLessThanOrEqual(
    60_000,
  )
  expect((await usage(await service.signedUp('idle')))['articles']).toMatchObject({ used: 0 })
})
