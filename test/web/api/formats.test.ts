import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../../support/articles.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const files = [changed('src/a.ts')]
repositoryOf(service, 'acme/shop', { pulls: [{ number: 1, title: 'Sell `twice`', files }] })
const { id } = await generated('acme/shop#1', token)
await generated('acme/shop#1', token, { language: 'en' })
const vault = repositoryOf(service, 'acme/vault', { private: true, members: ['reader'], pulls: [{ number: 1, files }] })
const { id: secret } = await generated('acme/vault#1', token)

async function get(path: string, headers: Record<string, string>) {
  const response = await fetch(service.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test.each([`/articles/${id}`, '/repos/acme/shop/pulls/1/article'])('%s is Markdown or HTML by Accept', async (path) => {
  const markdown = await get(path, { accept: 'text/markdown', 'accept-language': 'de, en;q=0.8' })
  expect([markdown.status, markdown.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
  expect(markdown.headers.get('content-language')).toBe('en')
  expect(markdown.text).toMatch(/^# Sell/)
  expect(markdown.text).toContain('src/a.ts')

  const page = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'ja' })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.text).toMatch(/^<!doctype html>\n<html lang="ja">/)
  expect(page.text).toMatch(/<h1>Sell .*twice.*<\/h1>/)
  expect(page.text).toContain(`href="${service.url}/read/articles/${id}?language=ja"`)
  expect(page.text).not.toContain('<script')

  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png'])
    expect((await get(path, { accept })).headers.get('content-type')).toBe('application/json; charset=utf-8')
  const french = await get(`${path}?language=fr`, { accept: 'text/markdown' })
  expect([french.status, JSON.parse(french.text).error.code]).toEqual([404, 'ARTICLE_NOT_FOUND'])
  const english = await get(`${path}?language=en`, { accept: 'text/html', 'accept-language': 'ja' })
  expect(english.headers.get('content-language')).toBe('en')
})

test('each format has an ETag of its own and is not sent again', async () => {
  const path = `/articles/${id}`
  const tags = new Set<string>()
  for (const accept of ['application/json', 'text/markdown', 'text/html']) {
    const first = await get(path, { accept })
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('vary')).toBe('Authorization, Cookie, Accept, Accept-Language, Prefer')
    const again = await get(path, { accept, 'if-none-match': tag })
    expect([again.status, again.text]).toEqual([304, ''])
    tags.add(tag)
  }
  expect(tags.size).toBe(3)
})

test('a private article is Markdown only for those who may read it', async () => {
  const headers = { accept: 'text/markdown' }
  const mine = await get(`/articles/${secret}`, { ...headers, authorization: `Bearer ${token}` })
  expect([mine.status, mine.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  const [hidden, unknown] = [
    await get(`/articles/${secret}`, headers),
    await get(`/articles/${crypto.randomUUID()}`, headers),
  ]
  const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, '')
  expect([hidden.status, withoutId(hidden.text)]).toEqual([404, withoutId(unknown.text)])
  vault.members = []
  service.advance(6 * 60_000)
  expect((await get(`/articles/${secret}`, { ...headers, authorization: `Bearer ${token}` })).status).toBe(404)
})
