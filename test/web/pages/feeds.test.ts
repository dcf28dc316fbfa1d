import { get } from 'node:http'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, expect, test } from 'vitest'
import { findNewestFor } from '../../../src/db/feeds/atomEntries.ts'
import { hideRepository } from '../../../src/domain/administration/hiding.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { favoritesOf } from '../../support/favorites.ts'
import { likesOf } from '../../support/likes.ts'
import { feature } from '../../support/newForm/feature.ts'
import { large } from '../../support/newForm/large.ts'
import type { Sample } from '../../support/newForm/sample.ts'
import { storeSample } from '../../support/newForm/store.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { PUBLIC_URL: 'https://pullpress.example' } })
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { counted, liked } = likesOf(service)
const token = await service.signedUp('writer')
const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers })

type Attributes = Record<string, string>

interface Part {
  id: string
  title: unknown
  updated: string
  link: Attributes[]
}

interface Entry extends Part {
  published: string
  summary: Attributes
  content?: Attributes
  author: { name: string }[]
}

interface ParsedFeed extends Part {
  '@_xmlns': string
  entry?: Entry[]
}

async function feedAt(path: string) {
  const answer = await ask(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const text = await answer.text()
  expect(XMLValidator.validate(text)).toBe(true)
  const { feed }: { feed: ParsedFeed } = parser.parse(text)
  expectAtom(feed, `https://pullpress.example${path}`)
  return { answer, entries: feed.entry ?? [], text }
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => name === 'entry' || name === 'link' || name === 'author',
})
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const OWN = /^https:\/\/pullpress\.example\//

/** Expects a feed to meet the requirements of RFC 4287 and of the W3C validator. */
function expectAtom(feed: ParsedFeed, address: string): void {
  expect(feed['@_xmlns']).toBe('http://www.w3.org/2005/Atom')
  const entries = feed.entry ?? []
  for (const part of [feed, ...entries]) {
    expect(part.id).toMatch(OWN)
    expect(part.updated).toMatch(DATE)
    expect([part.title].flat().length).toBe(1)
    for (const link of part.link) expect(link['@_href']).toMatch(OWN)
  }
  for (const entry of entries) {
    expect(entry.published).toMatch(DATE)
    expect(entry.author.map(({ name }) => name.length > 0)).toEqual([true])
    expect(['text', 'html', undefined]).toContain(entry.summary['@_type'])
    expect(['html', undefined]).toContain(entry.content?.['@_type'])
  }
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  const selves = feed.link.filter((link) => link['@_rel'] === 'self')
  expect(selves.map((link) => link['@_href'])).toEqual([address])
}

async function anArticle(repository = {}, pull = {}) {
  const place = aPull(service, pull, repository)
  const { id } = await generated(place, token, { language: 'ja' })
  return { place, id }
}

/** Waits until the like is counted. Otherwise, on a slow machine, a feed may miss this like. */
async function like(articleId: string): Promise<void> {
  await liked(token, { articleId, langCode: 'ja' })
  await counted()
}

test('feeds of the ranking, a repository and favorites contain articles about public repositories only', async () => {
  const open = await anArticle()
  const closed = await anArticle({ private: true, members: ['writer'] })
  for (const { id } of [open, closed]) await like(id)
  const repositoryNameOf = ({ place }: { place: string }) => place.split('#')[0] ?? ''
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('writer') }, { 'sec-fetch-site': 'same-origin' })
  for (const article of [open, closed])
    await browser.submit(
      '/read/favorites',
      { repository: repositoryNameOf(article) },
      { 'sec-fetch-site': 'same-origin' },
    )
  const page = await browser.submit('/read/feed', {}, { 'sec-fetch-site': 'same-origin' })
  const [own = ''] = /\/feeds\/favorites\/[\w-]+/.exec(await page.text()) ?? []

  for (const path of ['/feeds/ranking.atom?period=weekly&language=ja', `/feeds/repos/${repositoryNameOf(open)}`, own]) {
    const { entries, text } = await feedAt(path)
    expect(entries.map((entry) => entry.id)).toContain(`https://pullpress.example/read/articles/${open.id}?language=ja`)
    expect(text).not.toContain(closed.id)
  }
  expect(service.logged.join('')).not.toContain(own.split('/').at(-1))
  expect((await ask(`/feeds/repos/${repositoryNameOf(closed)}`)).status).toBe(404)
  const sitemap = await (await ask('/sitemap.xml')).text()
  for (const path of [`articles/${open.id}?language=ja`, `repos/${repositoryNameOf(open)}`])
    expect(sitemap).toContain(`<url><loc>https://pullpress.example/read/${path}</loc><lastmod>`)
  for (const hidden of [closed.id, repositoryNameOf(closed)]) expect(sitemap).not.toContain(hidden)
  expect(await (await ask('/robots.txt')).text()).toContain('Sitemap: https://pullpress.example/sitemap.xml')

  await browser.submit('/read/feed', {}, { 'sec-fetch-site': 'same-origin' })
  expect((await ask(own)).status).toBe(404)
})

test('feeds of the newest articles and of searches contain only what an anonymous reader may see', async () => {
  const member = await service.signedUp('member')
  const files = [changed('src/app.ts')]
  repositoryOf(service, 'acme/zoo', {
    pulls: [
      { number: 1, title: 'fix: okapi <&> "1"', author: 'hanako', labels: ['animals'], files },
      { number: 2, title: 'docs: okapi', mergedAt: '2026-02-03T00:00:00Z', files },
    ],
  })
  const { id: first } = await generated('acme/zoo#1', token, { language: 'ja' })
  const { id: second } = await generated('acme/zoo#2', token, { language: 'en' })
  await generated('acme/zoo#2', token, { language: 'ja' })
  const closed = aPull(service, { title: 'okapi' }, { private: true, members: ['member'] })
  const { id: secret } = await generated(closed, member, { language: 'ja' })
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: member }, { 'sec-fetch-site': 'same-origin' })
  await browser.submit('/read/open', { address: closed }, { 'sec-fetch-site': 'same-origin' })
  const [one, two] = [`${first}?language=ja`, `${second}?language=en`]
  for (const [path, expected] of [
    ['/feeds/articles.atom', [two, one]],
    ['/feeds/articles.atom?language=ja', [`${second}?language=ja`, one]],
    ['/feeds/search.atom', [two, one]],
    ['/feeds/search.atom?q=okapi', [two, one]],
    ['/feeds/search.atom?q=okapi&language=ja', [`${second}?language=ja`, one]],
    ['/feeds/search.atom?q=okapi+type%3Afix', [one]],
    ['/feeds/search.atom?q=okapi&changeType=DOCS', [two]],
    ['/feeds/search.atom?repository=ACME%2Fzoo&author=Hanako', [one]],
    ['/feeds/search.atom?q=okapi&label=animals', [one]],
    ['/feeds/search.atom?q=okapi&compatibility=breaking', []],
    ['/feeds/search.atom?mergedSince=2026-01-01T00%3A00%3A00Z', [two]],
    ['/feeds/search.atom?q=okapi+%3C%26%3E', [two, one]],
  ] as const) {
    const { entries, text } = await feedAt(path)
    const shown = entries.map(({ id }) => id.split('/').at(-1)).slice(0, 2)
    expect([path, shown]).toEqual([path, expected])
    expect(text).not.toContain(secret)
    expect(await (await browser.visit(path)).text()).toBe(text)
  }
  const { text } = await feedAt('/feeds/search.atom?q=okapi&changeType=FIX')
  expect(text).toContain('<title>Pullpress: okapi changeType:FIX</title>')
  expect(text).toContain('/read/search?q=okapi&amp;type=FIX&amp;sort=newest"/>')
  const sameFeed = await ask('/feeds/search.atom?changeType=FIX&sort=newest&language=ja&q=okapi')
  expect(await sameFeed.text()).toContain('/feeds/search.atom?q=okapi&amp;language=ja&amp;changeType=FIX"/>')
  const tag = sameFeed.headers.get('etag') ?? ''
  const again = await ask('/feeds/search.atom?q=okapi&language=ja&changeType=FIX', { 'if-none-match': tag })
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=300'])
})

test('pages link to their feeds', async () => {
  const visit = async (path: string) => (await openBrowser(service.url).visit(path)).text()
  const alternate = (title: string, path: string) =>
    `<link rel="alternate" type="application/atom+xml" title="${title}" href="${path}">`
  const front = await visit('/read?language=ja')
  for (const part of [
    alternate('Newest articles', '/feeds/articles.atom'),
    alternate('Newest articles: Japanese', '/feeds/articles.atom?language=ja'),
    alternate('Most liked', '/feeds/ranking.atom'),
    '<a href="/feeds/articles.atom?language=ja">Atom feed</a>',
  ])
    expect(front).toContain(part)
  const search = await visit('/read/search?q=okapi&type=FIX&sort=likes')
  const feed = '/feeds/search.atom?q=okapi&amp;changeType=FIX'
  expect(search).toContain(alternate('Results for “okapi”', feed))
  expect(search).toContain(`<a href="${feed}">Atom feed of this search</a>`)
  for (const path of ['/read/search', '/read/search?q=type:nothing']) expect(await visit(path)).not.toContain('/feeds/')
})

test('sorts feed entries by likes or by time', async () => {
  const place = aPull(service)
  const { id } = await generated(place, token, { language: 'en' })
  await generated(place, token, { language: 'ja' })
  const other = await service.signedUp('liker')
  for (const caller of [token, other]) await liked(caller, { articleId: id, langCode: 'en' })
  await like(id)
  const languagesAt = async (path: string) =>
    (await feedAt(path)).entries.filter((entry) => entry.id.includes(id)).map((entry) => entry.id.slice(-2))
  expect(await languagesAt('/feeds/ranking.atom')).toEqual(['en', 'ja'])
  expect(await languagesAt(`/feeds/repos/${place.split('#')[0]}`)).toEqual(['ja', 'en'])
})

test('answers conditional requests with 304 while nothing has changed', async () => {
  const { id } = await anArticle()
  await like(id)
  const { answer } = await feedAt('/feeds/ranking.atom')
  const tag = answer.headers.get('etag') ?? ''
  expect((await ask('/feeds/ranking.atom', { 'if-none-match': tag })).status).toBe(304)
  await like((await anArticle()).id)
  expect((await ask('/feeds/ranking.atom', { 'if-none-match': tag })).status).toBe(200)
})

test('answers 304 to If-Modified-Since, until the entries or their order change', async () => {
  const path = '/feeds/ranking.atom?language=ja'
  const since = async (date: string, more: Record<string, string> = {}) =>
    (await ask(path, { 'if-modified-since': date, ...more })).status
  const [first, second] = [await anArticle(), await anArticle()]
  for (const { id } of [first, second]) await like(id)
  const { answer, entries } = await feedAt(path)
  const modified = answer.headers.get('last-modified') ?? ''
  const date = Date.parse(modified)
  expect([date <= Date.now(), date > Date.now() - 60_000]).toEqual([true, true])

  const unmodified = await ask(path, { 'if-modified-since': modified })
  expect([unmodified.status, await unmodified.text(), unmodified.headers.get('content-type')]).toEqual([304, '', null])
  expect(unmodified.headers.get('etag')).toBe(answer.headers.get('etag'))
  expect(unmodified.headers.get('last-modified')).toBe(modified)
  // Any other date gets 200, because another node may have sent that date with other entries.
  for (const other of [60_000, 1000, -1000])
    expect([other, await since(new Date(date + other).toUTCString())]).toEqual([other, 200])
  for (const invalid of ['', 'yesterday', new Date(date + 60_000).toISOString(), '9999'])
    expect([invalid, await since(invalid)]).toEqual([invalid, 200])
  // If-None-Match takes precedence, whether it matches or not.
  expect(await since(modified, { 'if-none-match': '"another"' })).toBe(200)
  expect(await since('Thu, 01 Jan 1970 00:00:00 GMT', { 'if-none-match': answer.headers.get('etag') ?? '' })).toBe(304)

  // Only the order of the entries changes now, perhaps within the same second.
  const places = [first, second].map(({ id }) => entries.findIndex((entry) => entry.id.includes(id)))
  const behind = (places[0] ?? 0) > (places[1] ?? 0) ? first : second
  await liked(await service.signedUp('another reader'), { articleId: behind.id, langCode: 'ja' })
  await counted()
  const reordered = await feedAt(path)
  expect(reordered.entries.map(({ id }) => id)).not.toEqual(entries.map(({ id }) => id))
  expect(await since(modified)).toBe(200)
  service.advance(2000)
  const later = (await ask(path)).headers.get('last-modified') ?? ''
  expect(Date.parse(later)).toBeGreaterThan(date)
  expect(await since(later)).toBe(304)
})

test('parameters without effect do not change ETag and Last-Modified of a feed', async () => {
  const { place } = await anArticle()
  const repository = `/feeds/repos/${place.split('#')[0]}`
  for (const [path, same] of [
    ['/feeds/ranking.atom', '/feeds/ranking.atom?period=all&language=all&x=1'],
    ['/feeds/ranking.atom?period=weekly&language=ja', '/feeds/ranking.atom?language=ja&x=1&period=weekly'],
    [repository, `${repository}?x=1`],
  ] as const) {
    const { headers } = await ask(path)
    service.advance(10_000)
    const again = await ask(same)
    expect([again.headers.get('etag'), again.headers.get('last-modified')]).toEqual([
      headers.get('etag'),
      headers.get('last-modified'),
    ])
  }
})

test('decides who may see a feed before it answers 304', async () => {
  const { place } = await anArticle()
  const path = `/feeds/repos/${place.split('#')[0]}`
  const { answer, entries } = await feedAt(path)
  expect(entries).toHaveLength(1)
  const headers = { 'if-modified-since': answer.headers.get('last-modified') ?? '' }
  expect((await ask(path, headers)).status).toBe(304)
  const [owner = '', repo = ''] = place.split(/[/#]/)
  await hideRepository(service.ctx.db, 'hide', { owner, repo }, { at: service.ctx.now(), by: 'tester', note: '' })
  expect((await ask(path, headers)).status).toBe(404)
})

test('special characters do not break a feed', async () => {
  const { id, place } = await anArticle({}, { title: 'a ]]> <b>&amp; \u0007 \u202e \ud83d end' })
  await like(id)
  await feedAt(`/feeds/repos/${place.split('#')[0]}`)
})

/** Stores the sample as an article, visits its page, and returns its feed entry. */
async function entryOf(sample: Sample) {
  const { id, place, content } = await storeSample(service, token, sample)
  await ask(`/read/articles/${id}?language=ja`)
  const { entries } = await feedAt(`/feeds/repos/${place.split('#')[0]}`)
  const [entry] = entries
  return { id, place, content, summary: entry?.summary['#text'] ?? '', html: entry?.content?.['#text'] ?? '' }
}

test('entries have the lead as summary and the whole article as content', async () => {
  const { id, content, summary, html } = await entryOf(large)
  expect(summary).toContain('#1 by ferry-release: Ferry 3.0 は、ジョブを Redis ではなく Postgres に保存します。')
  for (const { heading } of content.mainChanges) expect(html).toContain(`>${heading}</h2>`)
  expect(html).toMatch(/<b>変更前<\/b> <a href="[^"]+"><code>internal\/queue\/claim\.go<\/code><\/a><\/p>\n<pre>func/)
  expect(html).toContain('<li>アプリケーション → jobs テーブル')
  expect(html).toContain('<blockquote')
  const evidence = `https://pullpress.example/read/articles/${id}/evidence?language=ja`
  expect(html).toContain(`<sup><a class="cite" href="${evidence}#e1"`)
  for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:\/\//)
  expect(html.match(/<svg|<script|<span class|style=|tabindex|id="contents"/g)).toBeNull()
})

/** A sample with this many sections, all with this description. */
function describedAs(description: string, sections: number): Sample {
  return {
    ...feature,
    content(cutter) {
      const content = feature.content(cutter)
      const [first] = content.mainChanges
      const change = { ...(first as NonNullable<typeof first>), description }
      return { ...content, mainChanges: Array(sections).fill(change) }
    },
  }
}

test('text that looks like the end of CDATA or like a citation stays text', async () => {
  const { html } = await entryOf(describedAs('a ]]> b ]]> href="evidence:#e1"', 1))
  expect(html).toContain('a ]]&gt; b ]]&gt; href=&quot;evidence:#e1&quot;')
})

test('long articles end with a link to the page', async () => {
  const { id, html } = await entryOf(describedAs('長い本文です。'.repeat(500), 3))
  expect(Buffer.byteLength(html)).toBeLessThan(25_000)
  expect(html).toMatch(
    new RegExp(`<p><a href="https://pullpress\\.example/read/articles/${id}\\?language=ja">続きを読む</a></p>\\s*$`),
  )
  expect(html.match(/<section/g)).toHaveLength(html.match(/<\/section/g)?.length ?? 0)
})

test('rejects invalid parameters of feeds, and neither shows nor logs unknown feed keys', async () => {
  for (const path of [
    '/feeds/ranking.atom?period=yearly',
    '/feeds/ranking.atom?language=japanese',
    '/feeds/articles.atom?language=japanese',
    '/feeds/search.atom?q=type:nothing',
    `/feeds/search.atom?q=${'a'.repeat(201)}`,
    '/feeds/search.atom?q=a&q=b',
    '/feeds/search.atom?changeType=fix',
    '/feeds/search.atom?repository=acme',
    '/feeds/search.atom?mergedSince=yesterday',
    '/feeds/search.atom?language=ja&lang=en',
    '/feeds/search.atom?q=a&sort=likes',
    '/feeds/search.atom?q=a&limit=10',
    '/feeds/search.atom?type=FIX',
  ]) {
    const refused = await ask(path)
    expect([path, refused.status]).toEqual([path, 400])
    expect(await refused.json()).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } })
  }
  for (const q of ['%00', '%F0%9F%98%80', '-', '%22', '%ED%A0%80'])
    expect((await ask(`/feeds/search.atom?q=${q}`)).status).toBe(200)
  for (const year of ['0000', '0001', '9999'])
    expect([year, (await ask(`/feeds/search.atom?mergedSince=${year}-01-01T00:00:00Z`)).status]).toEqual([year, 200])
  expect((await ask('/feeds/favorites/no-such-key')).status).toBe(404)
  for (const path of ['no-such-key', 'no-such-key/', 'no-such-key/x'])
    for (const accept of ['*/*', 'text/html'])
      expect(await (await ask(`/feeds/favorites/${path}`, { accept })).text()).not.toContain('no-such-key')
  await fetch(`${service.url}/feeds/favorites/no-such-key`, { method: 'POST' })
  expect(service.logged.join('')).not.toContain('no-such-key')
})

test('documents with absolute URLs are publicly cacheable only if PUBLIC_URL is set', async () => {
  const withoutPublicUrl = await startService()
  for (const path of ['/feeds/ranking.atom', '/sitemap.xml', '/read', '/robots.txt'])
    for (const host of ['%', 'x'.repeat(300)]) expect(await statusFor(withoutPublicUrl.url, path, host)).toBe(400)
  expect(await statusFor(withoutPublicUrl.url, '/sitemap.xml', 'a&b')).toBe(200)
  for (const path of ['/feeds/ranking.atom', '/sitemap.xml']) {
    expect((await fetch(`${withoutPublicUrl.url}${path}`)).headers.get('cache-control')).toBe('private, max-age=300')
    expect((await ask(path)).headers.get('cache-control')).toBe('public, max-age=300')
  }
  await withoutPublicUrl.close()
})

/** Uses `get`, because `fetch` does not allow setting the Host header. */
function statusFor(origin: string, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${origin}${path}`, { headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', reject)
  })
}

test('if the text in the user’s language is private, the feed of favorites has a public text in another language', async () => {
  const place = aPull(service)
  const { id } = await generated(place, token, { language: 'ja' })
  await generated(place, token, { language: 'en' })
  const { db, now } = service.ctx
  await db
    .updateTable('article_texts')
    .set({ private: true })
    .where('language', '=', 'ja')
    .where('article_id', '=', id)
    .execute()
  await favoritesOf(service).favorite(token, place.split('#')[0] ?? '')
  const { body } = await service.call('getCurrentUser', { token })
  const found = await findNewestFor(db, { id: body.data.id, language: 'ja' }, undefined, {
    now: now(),
    public_minutes: 60,
  })
  expect(found.filter((entry) => entry.id === id)).toMatchObject([{ language: 'en' }])
})
