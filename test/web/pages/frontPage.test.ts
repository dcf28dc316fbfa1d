import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, setLead } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { likesOf } from '../../support/likes.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

async function front(path = '/read', language = 'en') {
  const response = await openBrowser(service.url, language).visit(path)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

/** The URLs of the articles in the list of the newest articles, without the ranking. */
function listed(page: string): string[] {
  const [, list = ''] = /<ul class="articles">([\s\S]*?)<\/section>/.exec(page) ?? []
  return [...list.matchAll(/<h3><a[^>]*href="([^"]+)"/g)].map(([, address = '']) => address)
}

test('an empty instance says what to do first', async () => {
  expect(await front()).toContain('There are no articles yet. Sign in, then paste the URL')
  expect(await front('/read', 'ja')).toContain('記事はまだありません。')
  const browser = openBrowser(service.url, 'ja')
  await browser.submit('/sign-in', { token: service.host.token('reader') })
  expect(await (await browser.visit('/read')).text()).toContain('上の欄にプルリクエストの URL を貼り付けると')
})

test('signing in does not switch the language of the pages', async () => {
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('reader') })
  const { body } = await service.call('getCurrentUser', { token })
  expect(body.data.language).toBe('ja')
  expect(await (await browser.visit('/read')).text()).toContain('<html lang="en">')
})

test('shows the newest articles in the language of the reader, even if no article has likes', async () => {
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    const language = i === 0 ? 'en' : 'ja'
    const { id } = await generated(aPull(service, { mergedAt: '2026-02-03T00:00:00Z' }), token, { language })
    ids.unshift(id)
  }
  const both = ids[1] ?? ''
  const place = (await service.call('getArticleById', { params: { articleId: both } })).body.data
  await generated(`${place.repositoryFullName}#${place.prNumber}`, token, { language: 'en' })
  await setLead(service, both, 'ja', `見出しの下の文です。${'長い文。'.repeat(100)}`)

  const japanese = await front('/read', 'ja')
  expect(listed(japanese)).toEqual(
    ids.map((id, i) => `/read/articles/${id}?language=${i === ids.length - 1 ? 'en' : 'ja'}`),
  )
  expect(japanese).toContain('いいねされた記事はまだありません。')
  expect(japanese).toMatch(/<p lang="ja">見出しの下の文です。(長い文。){20,40}[^<]{0,4}…<\/p>/)
  for (const fact of ['概要（AIなし）', 'マージ済み <time', '約 1 分', '♥ 0', '<li class="tag">英語</li>'])
    expect(japanese).toContain(fact)
  expect(japanese.match(/class="tag">/g)).toHaveLength(1)
  expect(await front()).not.toContain('PR opened')

  const english = listed(await front())
  expect(english).toHaveLength(7)
  expect(english.filter((address) => address.endsWith('=en'))).toEqual([
    `/read/articles/${both}?language=en`,
    `/read/articles/${ids.at(-1)}?language=en`,
  ])
  expect(listed(await front('/read?language=en', 'ja'))).toHaveLength(2)
  expect(await front('/read?language=fr')).toContain('There are no articles in this language.')
})

test('lists articles in the language of the account, even if the pages are in another one', async () => {
  const browser = openBrowser(service.url, 'ja')
  await browser.submit('/sign-in', { token: service.host.token('english') })
  await browser.submit('/read/me/language', { language: 'en' })
  await browser.submit('/read/language', { language: 'ja', to: '/read' })
  const page = await (await browser.visit('/read')).text()
  expect(page).toContain('<html lang="ja">')
  expect(listed(page).filter((address) => address.endsWith('=en'))).toHaveLength(2)
})

test('paginates older articles by a cursor', async () => {
  const browser = openBrowser(service.url)
  for (let i = 0; i < 16; i++) await generated(aPull(service), token, { language: 'ja' })
  const first = await front()
  const [, next = ''] = /<a rel="next" href="([^"]+)">Older articles/.exec(first) ?? []
  const second = await (await browser.visit(next.replaceAll('&amp;', '&'))).text()
  expect([listed(first).length, listed(second).length]).toEqual([20, 3])
  expect(new Set([...listed(first), ...listed(second)]).size).toBe(23)
  expect(second).not.toContain('Older articles')
  expect((await browser.visit('/read?cursor=none')).status).toBe(400)
})

test('the ranking has a column and, on small screens, a tab of its own', async () => {
  const place = aPull(service)
  const { id } = await generated(place, token, { language: 'ja' })
  const { liked, counted } = likesOf(service)
  await liked(token, { articleId: id, langCode: 'ja' })
  await counted()
  const ranked = new RegExp(`<ol class="ranking"[^>]*><li><a[^>]*/read/articles/${id}\\?language=ja`)
  expect(await front('/read', 'ja')).toMatch(ranked)
  // Shows the Japanese article, because nothing is liked in English.
  const english = await front('/read?tab=ranking')
  expect(english).toMatch(ranked)
  expect(english).toContain('class="front at-ranking"')
  const [, row = ''] = /<ol class="ranking"[^>]*>([\s\S]*?)<\/ol>/.exec(english) ?? []
  for (const fact of [
    '<li>Closed, not merged</li>',
    'PR opened <time',
    '<li class="tag">Japanese</li>',
    '♥ 1',
    place.split('#')[0],
  ])
    expect(row).toContain(fact)
  expect(english).toContain('href="/read?tab=ranking&amp;period=weekly"')
  expect(await front('/read?language=en')).toContain('No articles have been liked yet.')
  expect(await front('/read?tab=ranking&period=daily&offset=10')).toContain('No more articles.')
})

test('shows private articles to their members only', async () => {
  const member = await service.signedUp('member')
  const place = aPull(service, {}, { private: true, members: ['member'] })
  const { id } = await generated(place, member)
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: member })
  await browser.submit('/read/open', { address: place })
  expect(listed(await (await browser.visit('/read')).text())[0]).toContain(id)
  expect(await front()).not.toContain(id)
})
