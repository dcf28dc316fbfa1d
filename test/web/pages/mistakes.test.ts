import { afterAll, expect, test } from 'vitest'
import { CLIENT } from '../../../scripts/fakeHost/fakeOAuth.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: CLIENT, hasPages: true })
afterAll(() => service.close())
const { host } = service
const { generated } = articlesOf(service)
const writer = await service.signedUp('writer')

async function signedIn(login: string, language = 'en') {
  host.oauth.browser.login = login
  const browser = openBrowser(service.url, language)
  await browser.visit('/sign-in/host')
  return browser
}

async function anArticle(repository = {}): Promise<string> {
  const { id } = await generated(aPull(service, {}, repository), writer, { language: 'ja' })
  return `/read/articles/${id}`
}

const stored = (path: string) =>
  service.ctx.db
    .selectFrom('mistakes')
    .where('article_id', '=', path.split('/').at(-1) ?? '')
    .select(['language', 'description', 'quote'])
    .execute()

test.each([
  ['en', 'Report a mistake', 'Thank you for your report'],
  ['ja', '間違いを報告', 'ご報告ありがとうございます'],
])('links from an article to the form, and says thanks for the report: %s', async (locale, link, thanks) => {
  const path = await anArticle()
  const browser = await signedIn(`reader-${locale}`, locale)
  const article = await (await browser.visit(path)).text()
  const [, form = ''] = new RegExp(`href="([^"]+)">${link}</a>`).exec(article) ?? []
  expect(form).toBe(`${path}/mistake?language=ja`)
  const page = await browser.visit(form)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain(`action="${path}/mistake"`)
  const fields = { language: 'ja', description: 'It is 30.\r\nNot 60.', quote: '60 seconds' }
  const sent = await browser.submit(`${path}/mistake`, fields)
  expect(sent.status).toBe(200)
  expect(await sent.text()).toContain(thanks)
  expect(await stored(path)).toEqual([{ language: 'ja', description: 'It is 30.\nNot 60.', quote: '60 seconds' }])
})

test('accepts the longest report, which browsers send as 22,500 bytes', async () => {
  const path = await anArticle()
  const browser = await signedIn('thorough')
  const longest = { description: '誤'.repeat(2000), quote: '字'.repeat(500) }
  expect((await browser.submit(`${path}/mistake`, { language: 'ja', ...longest })).status).toBe(200)
  expect(await stored(path)).toEqual([{ language: 'ja', ...longest }])
})

test('keeps the typed text in the form if the report cannot be accepted', async () => {
  const path = await anArticle()
  const browser = await signedIn('careless')
  const blank = await browser.submit(`${path}/mistake`, {
    language: 'ja',
    description: ' \0',
    quote: '<b>a passage</b>',
  })
  expect(blank.status).toBe(400)
  const text = await blank.text()
  expect(text).toContain('Describe the mistake in at most 2000 characters.')
  expect(text).toContain('&lt;b&gt;a passage&lt;/b&gt;</textarea>')
  const long = await browser.submit(`${path}/mistake`, { language: 'ja', description: 'x'.repeat(2001) })
  expect([long.status, (await long.text()).includes('x'.repeat(2001))]).toEqual([400, true])
  for (let i = 0; i < 20; i++) await browser.submit(`${path}/mistake`, { language: 'ja', description: `Mistake ${i}` })
  const more = await browser.submit(`${path}/mistake`, { language: 'ja', description: 'One more' })
  expect(more.status).toBe(429)
  expect(await more.text()).toMatch(/as many reports as a user can[\s\S]*>One more<\/textarea>/)
  expect(await stored(path)).toHaveLength(20)
})

test.each([
  ['en', 'Sign in to report a mistake'],
  ['ja', '間違いを報告するには、サインインが必要です'],
])('asks visitors to sign in, says why, and then opens the form: %s', async (locale, reason) => {
  const path = await anArticle()
  host.oauth.browser.login = `visitor-${locale}`
  const browser = openBrowser(service.url, locale)
  const page = await browser.visit(`${path}/mistake?language=ja`)
  expect(new URL(page.url).pathname).toBe('/sign-in')
  const text = await page.text()
  expect(text).toContain(reason)
  expect(text).toContain(`href="${path}?language=ja"`)
  const [, address = ''] = /class="button" href="([^"]+)"/.exec(text) ?? []
  const form = await browser.visit(address.replaceAll('&amp;', '&'))
  expect(form.url).toBe(`${service.url}${path}/mistake?language=ja`)
  expect(await form.text()).toContain('<textarea')
})

test('a form that is sent after the session ended leads to signing in, and back to the form', async () => {
  const path = await anArticle()
  const to = `${path}/mistake?language=ja`
  const fields = { language: 'ja', description: 'Wrong.', to }
  const page = await openBrowser(service.url).submit(`${path}/mistake`, fields)
  expect(page.status).toBe(401)
  expect(await page.text()).toContain(`/sign-in?to=${encodeURIComponent(to)}`)
  const browser = await signedIn('reader')
  expect((await browser.submit(`${path}/mistake`, fields, { origin: 'https://evil.example' })).status).toBe(403)
  expect(await stored(path)).toEqual([])
})

test('returns 404 for articles that the visitor cannot see', async () => {
  const path = await anArticle({ private: true, members: ['writer'] })
  const browser = await signedIn('stranger')
  for (const missing of [path, `/read/articles/${crypto.randomUUID()}`, '/read/articles/x']) {
    expect((await browser.visit(`${missing}/mistake`)).status).toBe(404)
    expect((await browser.submit(`${missing}/mistake`, { language: 'ja', description: 'Wrong.' })).status).toBe(404)
  }
  expect(await stored(path)).toEqual([])
})
