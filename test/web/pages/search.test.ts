import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, setLead } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { copyArticle } from '../../support/copies.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

async function search(query: Record<string, string>, language = 'en') {
  const response = await openBrowser(service.url, language).visit(`/read/search?${new URLSearchParams(query)}`)
  return { status: response.status, text: await response.text() }
}
const found = ({ text }: { text: string }) =>
  [...text.matchAll(/<h3><a[^>]*articles\/([\w-]{36})\?language=(\w\w)/g)].map(
    ([, id, language]) => `${id} ${language}`,
  )

/** An article whose lead is the given text. */
async function written(lead: string, pull = {}, repository = {}, writer = token) {
  const place = aPull(service, pull, repository)
  const { id } = await generated(place, writer, { language: 'ja' })
  await setLead(service, id, 'ja', lead)
  return { id: id as string, place }
}

test('every page has a search box, which keeps the query', async () => {
  const box = /<form role="search" action="\/read\/search">.*<input type="search" name="q"[^>]*value="([^"]*)"/
  for (const path of ['/read', '/sign-in', '/read/none', '/read/search'])
    expect(box.exec(await (await openBrowser(service.url).visit(path)).text())?.[1], path).toBe('')
  expect(box.exec((await search({ q: 'a"<b>' })).text)?.[1]).toBe('a&quot;&lt;b&gt;')
})

test('finds articles and marks the match', async () => {
  const { id } = await written('タイムアウトの<既定値>が変わりました。')
  const result = await search({ q: 'たいむあうと <既定値>' }, 'ja')
  expect(result.status).toBe(200)
  expect(found(result)).toEqual([`${id} ja`])
  expect(result.text).toContain('<mark>タイムアウト</mark>の<mark>&lt;既定値&gt;</mark>が変わりました。')
  expect(result.text).toContain('<title>「たいむあうと &lt;既定値&gt;」の検索結果 · Pullpress</title>')
  expect(result.text).toContain('content="noindex"')
})

test('filters by type and language, and sorts', async () => {
  const fix = await written('A pelican.', { title: 'fix: a' })
  const docs = await written('Another bird.', { title: 'docs: pelican', body: 'pelican' })
  await generated(docs.place, token, { language: 'en' })
  const both = await search({ q: 'pelican' })
  expect(found(both)).toHaveLength(2)
  for (const link of ['type=FIX', 'language=ja', 'sort=likes']) expect(both.text).toContain(`?q=pelican&amp;${link}"`)
  expect(found(await search({ q: 'pelican', type: 'FIX' }))).toEqual([`${fix.id} ja`])
  expect(found(await search({ q: 'pelican', language: 'en' }))).toEqual([`${docs.id} en`])
  expect(found(await search({ q: 'pelican', sort: 'newest' }))[0]).toContain(docs.id)
  expect(both.text).toMatch(/<details ?><summary>Filter by type and language/)
  const filtered = await search({ type: 'FIX' })
  expect(filtered.text).toContain('<details open><summary>')
  expect(found(filtered)).toEqual([`${fix.id} ja`])
  expect(filtered.text).not.toContain('>Relevance</a>')
  expect((await search({ type: 'FIX', sort: 'relevance' })).status).toBe(200)
})

test('says that nothing was found, with hints', async () => {
  const nothing = await search({ q: 'nowhere', type: 'FIX' })
  expect(nothing.status).toBe(200)
  expect(nothing.text).toContain('Nothing was found. <a href="/read/search?q=nowhere">Search all types')
  expect(nothing.text).toContain('<code>repo:owner/name</code>')
  expect((await search({}, 'ja')).text).toContain('<code>lang:ja</code>')
})

test('says what is wrong with a query', async () => {
  for (const [q, message] of [
    ['type:nothing', 'type: is followed by one of feat, fix,'],
    ['lang:english', 'lang: is followed by a language code'],
    ['a b c d e f g h i j k', 'at most 10 words'],
    ['a'.repeat(201), 'at most 200 characters'],
  ] as const) {
    const { status, text } = await search({ q })
    expect(status).toBe(400)
    expect(text).toMatch(new RegExp(`role="alert">[^<]*${message}`))
    expect(text).toContain(`value="${q}"`)
  }
  expect((await search({ q: 'type:nothing' }, 'ja')).text).toContain('のいずれかを指定してください')
  expect((await search({ q: 'a', cursor: 'none' })).status).toBe(400)
  for (const q of ['\0', 'a\0b', '"a\0 b"', '\ud800', '-', '"'])
    expect((await search({ q, type: 'constructor', language: 'x', sort: '__proto__' })).status).toBe(200)
})

test('paginates the results', async () => {
  const { id } = await written('An ostrich.')
  // The copies below include the entry in the search index, so this search waits until the entry exists.
  expect(found(await search({ q: 'ostrich' }))).toHaveLength(1)
  const copies = Array.from({ length: 20 }, (_, n) => ({ id: randomUUIDv7(), number: n + 1000, at: new Date() }))
  await copyArticle(service.ctx.db, id, copies, {})
  const first = await search({ q: 'ostrich' })
  const [, next = ''] = /<a rel="next" href="([^"]+)">More results/.exec(first.text) ?? []
  const second = await (await openBrowser(service.url).visit(next.replaceAll('&amp;', '&'))).text()
  expect(new Set([...found(first), ...found({ text: second })]).size).toBe(21)
})

test('says when only the newest matches were ranked', async () => {
  const { id } = await written('A kakapo.')
  expect((await search({ q: 'kakapo' })).text).not.toContain('were ranked')
  const copies = Array.from({ length: 1000 }, (_, n) => ({ id: randomUUIDv7(), number: n + 1000, at: new Date() }))
  await copyArticle(service.ctx.db, id, copies, {})
  expect((await search({ q: 'kakapo' })).text).toContain('Only the newest 1,000 were ranked.')
})

test('finds private articles for their members only', async () => {
  const member = await service.signedUp('member')
  const { place } = await written('A cassowary.', {}, { private: true, members: ['member'] }, member)
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: member })
  await browser.submit('/read/open', { address: place })
  expect(await (await browser.visit('/read/search?q=cassowary')).text()).toContain('<mark>cassowary</mark>')
  expect((await search({ q: 'cassowary' })).text).toContain('Nothing was found.')
})
