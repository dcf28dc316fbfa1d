import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { aPull } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { CODE_HOST_WEB_URL: 'https://github.com' } })
afterAll(() => service.close())
const { host } = service
type Browser = ReturnType<typeof openBrowser>

async function signedIn(login: string, language = 'en'): Promise<Browser> {
  const browser = openBrowser(service.url, language)
  await browser.submit('/sign-in', { token: host.token(login) })
  return browser
}

/** Opens an article. Reloads the page that waits for it, like a browser. */
async function opened(browser: Browser, address: string): Promise<Response> {
  let page = await browser.submit('/read/open', { address })
  while (page.url.includes('/writing/')) page = await browser.visit(page.url)
  return page
}

const addressOf = (place: string) => `https://github.com/${place.replace('#', '/pull/')}`

test('opens an article by a URL, shows its evidence, likes it, and lists it on the page of the user', async () => {
  const place = aPull(service, {
    files: [{ filename: 'a.ts', patch: '@@ -1,1 +1,2 @@\n const a = 1\n+const b = "<i>"' }],
  })
  const browser = await signedIn('reader')
  const page = await opened(browser, addressOf(place))
  expect(page.status).toBe(200)
  const text = await page.text()
  const [, evidence = ''] = /href="([^"]*\/evidence[^"]*)#e1"/.exec(text) ?? []
  expect(await (await browser.visit(evidence)).text()).toMatch(
    /id="e1"[\s\S]*class="added"[\s\S]*const b = &quot;&lt;i&gt;&quot;/,
  )
  expect(text).toContain('aria-pressed="false"')
  const [, articleId = ''] = /articles\/([\w-]{36})/.exec(page.url) ?? []

  const likeForm = { articleId, language: 'en', to: new URL(page.url).pathname }
  expect(await (await browser.submit('/read/like', { ...likeForm, wish: 'like' })).text()).toContain(
    'aria-pressed="true"',
  )
  const mine = await (await browser.visit('/read/me')).text()
  expect(mine).toContain(`/read/articles/${articleId}?language=en`)
  expect(await (await openBrowser(service.url).visit('/read')).text()).toContain(articleId)
  expect(await (await browser.submit('/read/like', { ...likeForm, wish: 'unlike' })).text()).toContain(
    'aria-pressed="false"',
  )
})

test('lets anyone read, and asks for sign-in where an account is needed', async () => {
  const place = aPull(service)
  const writer = await signedIn('writer')
  const { url } = await opened(writer, addressOf(place))
  const visitor = openBrowser(service.url)
  expect((await opened(visitor, addressOf(place))).url).toBe(url)
  expect((await visitor.visit('/read/me')).status).toBe(401)
  const unknown = await visitor.submit('/read/open', { address: 'https://github.com/acme/none/pull/1' })
  expect(new URL(unknown.url).pathname).toBe('/sign-in')
  expect((await visitor.submit('/read/like', { articleId: url, language: 'en' })).status).toBe(401)
})

test('shows a private article to members only, with noindex', async () => {
  const place = aPull(service, {}, { private: true, members: ['member'] })
  const member = await signedIn('member')
  const page = await opened(member, addressOf(place))
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain('content="noindex"')
  expect(text).not.toMatch(/\/feeds\/|og:/)
  const evidence = page.url.replace('?', '/evidence?')
  expect(await (await member.visit(evidence)).text()).toMatch(/content="noindex"[\s\S]*new src\/app\.ts/)
  for (const other of [openBrowser(service.url), await signedIn('other')])
    for (const url of [page.url, evidence]) {
      const hidden = await other.visit(url)
      expect(hidden.status).toBe(404)
      expect(await hidden.text()).not.toMatch(new RegExp(`${place.split('#')[0]}|app\\.ts`))
    }
})

test('adds a favorite, shows its pull requests, and removes it', async () => {
  const place = aPull(service)
  const [name = ''] = place.split('#')
  const browser = await signedIn('follower')
  const added = await (await browser.submit('/read/favorites', { repository: `https://github.com/${name}` })).text()
  expect(added).toContain(`value="${name}"`)
  expect(added).toContain('Write article')
  expect(await (await browser.submit('/read/favorites/remove', { repository: name })).text()).not.toContain(name)
  expect((await browser.submit('/read/favorites', { repository: 'nonsense' })).status).toBe(400)
})

test('titles of pull requests link to their articles, or to the form that requests one', async () => {
  const place = aPull(service)
  const [name = ''] = place.split('#')
  const browser = await signedIn('title-reader')
  const mine = await (await browser.submit('/read/favorites', { repository: name })).text()
  expect(mine).toMatch(new RegExp(`<a href="/read/pulls/${name}/1" dir="auto">A change</a>`))
  const path = `/read/pulls/${name}/1`
  expect(await (await browser.visit(path)).text()).toContain(`value="${place}"`)
  const { url } = await opened(browser, addressOf(place))
  expect((await browser.visit(path)).url).toBe(url)
  expect((await openBrowser(service.url).visit(path)).url).toBe(url)
  for (const none of ['/read/pulls/acme/x/0', '/read/pulls/%00/a/1'])
    expect((await browser.visit(none)).status).toBe(404)
})

test('pages use the language of the browser until the visitor chooses another', async () => {
  const visitor = openBrowser(service.url, 'ja-JP,ja;q=0.9')
  expect(await (await visitor.visit('/read')).text()).toContain('<html lang="ja">')
  expect(await (await visitor.submit('/read/language', { language: 'en', to: '/read' })).text()).toContain('lang="en">')
  const browser = await signedIn('bilingual', 'ja')
  await browser.submit('/read/language', { language: 'en', to: '/read/me' })
  expect(await (await browser.visit('/read')).text()).toContain('<html lang="en">')
  const { body } = await service.call('getCurrentUser', { token: host.token('bilingual') })
  expect(body.data.language).toBe('ja')
  expect((await visitor.submit('/read/language', { language: 'xx', to: '/read' })).status).toBe(400)
})

test('offers to write a missing article in the language of the reader', async () => {
  const place = aPull(service)
  const { url } = await opened(await signedIn('english'), addressOf(place))
  const browser = await signedIn('japanese', 'ja')
  expect(await (await browser.visit(url)).text()).toContain('日本語で作成')
  const anonymous = await (await openBrowser(service.url, 'ja').visit(url)).text()
  expect(anonymous).toMatch(/href="\/sign-in[^"]*">日本語で作成/)
  let page = await browser.submit('/read/open', { address: addressOf(place), language: 'ja' })
  while (page.url.includes('/writing/')) page = await browser.visit(page.url)
  expect(page.url).toBe(url.replace('language=en', 'language=ja'))
  expect(await page.text()).not.toContain('日本語で作成')
})

test('refreshes an article, and shows the stored one if that fails', async () => {
  const place = aPull(service)
  const pull = service.host.repositories.at(-1)?.pulls?.[0]
  const browser = await signedIn('current')
  const first = await opened(browser, addressOf(place))
  if (pull) pull.head = 'e'.repeat(40)
  service.advance(2 * 60_000)
  host.fail({ path: /pulls/, times: 50, act: faults.status(503) })
  expect((await opened(browser, addressOf(place))).url).toBe(first.url)
  host.heal()
  service.advance(2 * 60_000)
  const refreshed = await opened(browser, addressOf(place))
  expect(refreshed.url).toBe(first.url)
  expect(await refreshed.text()).toContain('eeeeeeeeee')
})

test('accepts common notations of pull requests and repositories, but only of the code host', async () => {
  const place = aPull(service)
  const browser = await signedIn('typing')
  const { url } = await opened(browser, addressOf(place))
  const [name = ''] = place.split('#')
  for (const address of [
    place,
    `github.com/${name}/pull/${place.split('#')[1]}`,
    `http://www.github.com/${name}/pull/${place.split('#')[1]}/files?diff=split`,
  ])
    expect((await opened(browser, address)).url).toBe(url)
  for (const repository of [name, `github.com/${name}`, `https://github.com/${name}.git`, `git@github.com:${name}.git`])
    expect(await (await browser.submit('/read/favorites', { repository })).text()).toContain(`value="${name}"`)
  const refused = await browser.submit('/read/favorites', { repository: `https://evil.example/${name}` })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('href="/read/me"')
  for (const address of ['https://gitlab.com/a/b/-/merge_requests/1', 'gitlab.com/a/b/-/merge_requests/1']) {
    const other = await openBrowser(service.url).submit('/read/open', { address })
    expect(other.status).toBe(400)
    const text = await other.text()
    expect(text).toContain(
      'gitlab.com is not supported. This service reads pull requests and repositories of github.com',
    )
    expect(text).toContain(`value="${address}"`)
  }
  const nonsense = await (await openBrowser(service.url).submit('/read/open', { address: name })).text()
  expect(nonsense).toContain(
    'Enter the URL of a pull request on github.com, such as https://github.com/owner/repo/pull/1.',
  )
})

test('does not show stored markup that is older than its text, and links to no other host', async () => {
  const page = await opened(await signedIn('former'), addressOf(aPull(service)))
  const [, articleId = ''] = /articles\/([\w-]{36})/.exec(page.url) ?? []
  const { body } = await service.call('getArticleById', { params: { articleId } })
  const own = new URL(body.data.hostPrUrl).origin
  const words = `A newer text, [there](${own}/c/../a/b), [elsewhere](https://evil.example/) and [so](${own}\\\\@evil.example/).`
  const newer = { backgroundAndPurpose: words, summaryGeneratedAt: '2030-01-01T00:00:00.000Z' }
  await sql`
    update article_texts set content = (content::jsonb || ${JSON.stringify(newer)}::jsonb)::text
    where article_id = ${articleId}`.execute(service.ctx.db)
  const text = await (await openBrowser(service.url).visit(page.url)).text()
  expect(text).toContain(`A newer text, <a href="${own}/a/b">there</a>`)
  expect(text).not.toMatch(/href="[^"]*evil\.example/)
})

test('an error page keeps what the user typed in the form, and its language switch leads to a valid page', async () => {
  const browser = await signedIn('failing')
  const unknown = await browser.submit('/read/open', { address: 'acme/none#1' })
  expect(unknown.status).toBe(404)
  const text = await unknown.text()
  expect(text).toContain('This pull request does not exist')
  expect(text).toContain('value="acme/none#1"')
  const to = /name="to" value="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await browser.submit('/read/language', { language: 'ja', to })).status).toBe(200)
})

test('lets the user choose any article language', async () => {
  const browser = await signedIn('polyglot')
  expect(await (await browser.visit('/read/me')).text()).toMatch(/<option value="en" selected>/)
  const page = await (await browser.submit('/read/me/language', { language: 'fr' })).text()
  expect(page).toMatch(/<option value="fr" selected>French/)
  expect((await browser.submit('/read/me/language', { language: 'zz' })).status).toBe(400)
})

test('deletes the account only after confirmation', async () => {
  const browser = await signedIn('leaver')
  await browser.submit('/read/leave', {})
  expect((await browser.ask('/users/me')).status).toBe(200)
  await browser.submit('/read/leave', { sure: 'yes' })
  expect(browser.cookies.has('pullpress_session')).toBe(false)
  const { status } = await service.call('getCurrentUser', { token: host.token('leaver') })
  expect(status).toBe(404)
})

test('renders pages for page errors and JSON for API errors', async () => {
  const visitor = openBrowser(service.url)
  for (const path of ['/read/none', '/read/articles/no-id', `/read/articles/${crypto.randomUUID()}`, '/sign-in/none']) {
    const page = await visitor.visit(path)
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('Not found')
  }
  expect((await visitor.submit('/read/open', { address: 'https://evil.example/acme/shop/pull/1' })).status).toBe(400)
  const html = { headers: { accept: 'text/html' } }
  for (const path of ['/users/me', '/articles/no-id', '/articles/%zz', '/ranking/articles/likes'])
    expect((await visitor.ask(path, html)).headers.get('content-type')).toContain('application/json')
  const notAllowed = await visitor.ask('/articles', { method: 'PUT', ...html })
  expect(notAllowed.status).toBe(405)
  expect(await notAllowed.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
})

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

test('renders errors of feeds and unknown paths as pages for browsers, and as JSON for others', async () => {
  const visitor = openBrowser(service.url, 'ja')
  const reader = await signedIn('lost')
  for (const [path, status, title] of [
    ['/nothing', 404, '見つかりません'],
    ['/nothing?to=secret-word', 404, '見つかりません'],
    ['/sign-out', 404, '見つかりません'],
    ['/sign-in/none', 404, '見つかりません'],
    ['/docs/none', 404, '見つかりません'],
    ['/feeds/none', 404, '見つかりません'],
    ['/feeds/repos/nope/nope', 404, '見つかりません'],
    ['/feeds/favorites/secret-word', 404, '見つかりません'],
    ['/feeds/favorites/secret-word/x', 404, '見つかりません'],
    ['/feeds/search.atom?q=type:nothing', 400, 'リクエスト'],
    ['/%zz', 400, 'リクエスト'],
  ] as const) {
    for (const accept of [CHROME, 'application/json;q=0.5, text/html;q=0.6']) {
      const page = await visitor.ask(path, { headers: { accept } })
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, status, 'text/html; charset=utf-8'])
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('x-request-id')).not.toBeNull()
      if (path !== '/sign-in/none') expect(page.headers.get('vary')).toBe('Accept, Accept-Language, Cookie')
      const text = await page.text()
      expect(text).toMatch(new RegExp(`<html lang="ja">[\\s\\S]*<h1>[^<]*${title}`))
      expect(text).not.toContain('secret-word')
    }
    if (path === '/sign-in/none') continue
    for (const accept of [
      '*/*',
      'application/json',
      'text/html;q=0.5, application/json',
      'application/atom+xml, */*',
    ]) {
      const data = await visitor.ask(path, { headers: { accept } })
      expect([path, data.status, data.headers.get('vary')]).toEqual([path, status, 'Accept'])
      expect(await data.json()).toMatchObject({ success: false })
    }
  }
  const known = await reader.ask('/nothing', { headers: { accept: CHROME } })
  expect(await known.text()).toMatch(/<html lang="en">[\s\S]*<span class="who">lost<\/span>/)
  const form = { method: 'POST', body: new URLSearchParams({ a: 'b' }), headers: { accept: CHROME } }
  for (const path of ['/read/none', '/sign-out/none', '/nothing'])
    expect((await visitor.ask(path, form)).headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('article pages show their URL and a feed, and have a preview image for other sites', async () => {
  const place = aPull(service)
  const writer = await signedIn('sharer')
  const page = await opened(writer, addressOf(place))
  const text = await page.text()
  const address = page.url.replaceAll('&', '&amp;')
  expect(text).toContain(`<input id="share" readonly value="${address}">`)
  const [name = ''] = place.split('#')
  expect(text).toContain(`<a href="/feeds/repos/${name}">Atom feed of ${name}</a>`)
  const [, image = ''] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? []
  for (const meta of [
    'property="og:image:width" content="1200"',
    'property="og:image:height" content="630"',
    'property="og:image:alt" content="Pullpress: ',
    'name="twitter:card" content="summary_large_image"',
  ])
    expect(text).toContain(`<meta ${meta}`)
  expect(image).toContain(`${service.url}/read/assets/card.png?v=`)
  const shown = await fetch(image)
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(shown.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const bytes = Buffer.from(await shown.arrayBuffer())
  expect(bytes.byteLength).toBeLessThan(60_000)
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
})

test('pages load nothing from other hosts and run no inline code', async () => {
  const page = await openBrowser(service.url).visit('/read')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(await page.text()).not.toMatch(
    /<script(?! type="module" src="\/read\/)|style="|https?:\/\/(?!127\.0\.0\.1|github\.com)/,
  )
})

test('keeps pages, script and stylesheet small', async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `+const value${i} = "${'x'.repeat(150)}"`)
  const files = Array.from({ length: 40 }, (_, i) => ({
    filename: `src/some/folder/file${i}.ts`,
    patch: `@@ -0,0 +1,${lines.length} @@\n${lines.join('\n')}`,
  }))
  const browser = await signedIn('measuring')
  const page = await opened(browser, addressOf(aPull(service, { files })))
  expect(page.status).toBe(200)
  const article = await page.text()
  expect(Buffer.byteLength(article)).toBeLessThan(70_000)
  const home = await (await browser.visit('/read')).text()
  expect(Buffer.byteLength(home)).toBeLessThan(30_000)
  const [script = '', style = ''] = [/src="([^"]+)"/.exec(home)?.[1], /stylesheet" href="([^"]+)"/.exec(home)?.[1]]
  expect((await (await browser.visit(script)).text()).length).toBeLessThan(10_000)
  expect((await (await browser.visit(style)).text()).length).toBeLessThan(15_000)
})

test('odd input never causes a server error', async () => {
  const browser = await signedIn('odd')
  const place = addressOf(aPull(service))
  const page = await opened(browser, place)
  const [, articleId = ''] = /articles\/([\w-]{36})/.exec(page.url) ?? []
  const statuses: number[] = []
  const json = { 'content-type': 'application/json', origin: service.url }
  for (const path of [
    '/sign-in',
    '/read/open',
    '/read/like',
    '/read/favorites',
    '/read/favorites/settings',
    '/read/language',
    '/read/leave',
  ])
    for (const body of [
      '{"token":{},"address":[1],"repository":7,"language":null,"articleId":{},"to":[]}',
      '[]',
      '"x"',
      '{',
    ])
      statuses.push((await browser.ask(path, { method: 'POST', headers: json, body })).status)
  const forms: [string, Record<string, string>][] = [
    ['/read/open', { address: place, language: 'x\0' }],
    ['/read/open', { address: place, language: 'constructor' }],
    ['/read/like', { articleId, language: '\0' }],
    ['/read/like', { articleId: '\0', language: 'en' }],
    ['/read/favorites', { repository: 'a/\0' }],
    ['/read/favorites/settings', { repository: 'a/b', automaticArticles: '\0' }],
  ]
  for (const [path, fields] of forms) statuses.push((await browser.submit(path, fields)).status)
  for (const path of [
    '/read?language=constructor&period=__proto__&offset=-1e9&language=x',
    '/read/articles/%00',
    `/read/articles/${articleId}?language=constructor`,
    `/read/articles/${articleId}/evidence?language=constructor`,
    '/read/articles/%00/evidence',
    '/feeds/repos/a/%00',
    '/feeds/favorites/%00',
    '/feeds/ranking.atom?period=constructor',
  ])
    statuses.push((await browser.visit(path)).status)
  browser.cookies.set('pullpress_language', 'constructor')
  browser.cookies.delete('pullpress_session')
  statuses.push((await browser.visit('/read')).status)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
})

test('accepts only decimal digits as numbers in the URL of a page', async () => {
  const browser = await signedIn('counting')
  for (const path of ['/read?offset=', '/read/me?feed=', '/read/me?liked=']) {
    expect((await browser.visit(`${path}20`)).status).toBe(200)
    for (const text of ['1e1', '0x1', '-1', '1.0', '%201', '01', 'x', ''])
      expect([path, text, (await browser.visit(path + text)).status]).toEqual([path, text, 400])
  }
})

test('logs which user requested a page', async () => {
  const browser = await signedIn('logged')
  const before = service.logged.length
  await browser.visit('/read/me')
  const { id } = await service.ctx.db
    .selectFrom('users')
    .where('host_username', '=', 'logged')
    .select('id')
    .executeTakeFirstOrThrow()
  const lines = () => service.logged.slice(before).map((line) => JSON.parse(line))
  await expect.poll(() => lines().find(({ path }) => path === '/read/me')?.userId).toBe(id)
})
