import { afterAll, expect, test } from 'vitest'
import { APP_CLIENT, CLIENT } from '../../../scripts/fakeHost/fakeOAuth.ts'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { openBrowser } from '../../support/browser.ts'
import { startFakeIssuer } from '../../support/fakeIssuer.ts'
import { changed } from '../../support/pulls.ts'
import type { Sent } from '../../support/sendOnce.ts'
import { startService } from '../../support/service.ts'

const plain = await startService()
const service = await startService({ env: CLIENT, hasPages: true })
const { host } = service
afterAll(async () => {
  await service.close()
  await plain.close()
})

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
type Browser = ReturnType<typeof openBrowser>
const me = (browser: Browser, init: Sent = {}) => browser.ask('/users/me', init)

async function profile(browser: Browser) {
  const { data } = (await (await me(browser)).json()) as { data: { hostUsername: string; language: string } }
  return data
}

async function signedIn(login: string, origin = service.url) {
  host.oauth.browser.login = login
  const browser = openBrowser(origin)
  const page = await browser.visit('/sign-in/host?to=/read?period=daily')
  expect(page.status).toBe(200)
  expect(page.url).toBe(`${origin}/read?period=daily`)
  return browser
}

test('signs in at the code host without requesting scopes, and signs up in the language of the browser', async () => {
  const browser = await signedIn('newcomer')
  const request = host.oauth.authorizeRequests.at(-1)
  expect(request?.get('scope')).toBeNull()
  expect(request?.get('code_challenge_method')).toBe('S256')
  expect(request?.get('state')?.length).toBeGreaterThan(30)
  expect(await profile(browser)).toMatchObject({ hostUsername: 'newcomer', language: 'en' })
  expect(await (await browser.visit('/read')).text()).toContain('newcomer')
})

test('requests access to private repositories only on demand', async () => {
  const browser = await signedIn('wary')
  expect(await (await browser.visit('/read/me')).text()).toContain('access=private')
  await browser.visit('/sign-in/host?access=private&to=/read/me')
  expect(host.oauth.authorizeRequests.at(-1)?.get('scope')).toBe('repo')
})

test('says before signing in that access to private repositories includes write access', async () => {
  const page = async (language: string, path = '/sign-in') =>
    (await openBrowser(service.url, language).visit(path)).text()
  expect(await page('en')).toContain('this permission includes write access, which Pullpress does not use')
  expect(await page('ja')).toContain('この権限には書き込みも含まれますが、Pullpress は書き込みません')
  const browser = await signedIn('informed')
  expect(await (await browser.visit('/read/me')).text()).toContain('the permission includes write access')
})

test('requests no scopes from a GitHub App, even for private repositories', async () => {
  const app = await startService({ env: APP_CLIENT, hasPages: true })
  app.host.oauth.settings.expires = true
  app.host.oauth.browser.login = 'app-user'
  for (const [language, text] of [
    ['en', 'Private repositories are readable only where the app is installed'],
    ['ja', '非公開リポジトリは、アプリがインストールされている場合にのみ読み取れます'],
  ] as const)
    expect(await (await openBrowser(app.url, language).visit('/sign-in')).text()).toContain(text)
  const browser = openBrowser(app.url)
  for (const path of ['/sign-in/host?to=/read/me', '/sign-in/host?access=private&to=/read/me']) {
    const page = await (await browser.visit(path)).text()
    expect(app.host.oauth.authorizeRequests.at(-1)?.has('scope')).toBe(false)
    expect(page).toContain('app-user')
    expect(page).toContain(`href="${app.host.url}/settings/installations"`)
    expect(page).not.toContain('access=private')
  }
  await app.close()
})

test('sets an HttpOnly and SameSite session cookie', async () => {
  host.oauth.browser.login = 'careful'
  const browser = openBrowser(service.url)
  const begun = await browser.ask('/sign-in/host')
  const back = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
  const done = await browser.ask(back.headers.get('location') ?? '')
  const [session] = done.headers.getSetCookie().filter((line) => line.startsWith('pullpress_session='))
  expect(session).toMatch(/; HttpOnly/)
  expect(session).toMatch(/; SameSite=Lax/)
  expect(browser.cookies.has('pullpress_signing_in')).toBe(false)
})

test('signing out ends only this session', async () => {
  const [one, other] = [await signedIn('reader'), await signedIn('reader')]
  const kept = one.cookies.get('pullpress_session')
  expect((await one.submit('/sign-out', {})).status).toBe(200)
  expect(one.cookies.has('pullpress_session')).toBe(false)
  expect((await fetch(`${service.url}/users/me`, { headers: { cookie: `pullpress_session=${kept}` } })).status).toBe(
    401,
  )
  expect((await me(other)).status).toBe(200)
  expect((await fetch(`${service.url}/users/me`, { headers: { authorization: `Bearer ${kept}` } })).status).toBe(401)
})

test('ends a session after a month', async () => {
  const browser = await signedIn('patient')
  service.advance(29 * DAY)
  expect((await me(browser)).status).toBe(200)
  service.advance(2 * DAY)
  expect((await me(browser)).status).toBe(401)
  expect(await (await browser.visit('/read')).text()).not.toContain('patient')
})

test('accepts changes from its own origin only', async () => {
  const browser = await signedIn('target')
  const patch = (headers: Record<string, string>) =>
    me(browser, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"language":"fr"}',
    })
  const foreign = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: service.url, 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    const answer = await patch(headers as Record<string, string>)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: { code: 'FORBIDDEN', details: { reason: 'other_origin' } } })
    for (const path of ['/sign-out', '/sign-in', '/read/language'])
      expect((await browser.submit(path, { language: 'ja' }, headers as Record<string, string>)).status).toBe(403)
  }
  expect((await profile(browser)).language).toBe('en')
  expect((await patch({ origin: service.url })).status).toBe(200)
  expect((await patch({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
})

test('rejects a callback that does not match the started sign-in', async () => {
  host.oauth.browser.login = 'victim'
  const browser = openBrowser(service.url)
  const begun = await browser.ask('/sign-in/host')
  const back = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
  const address = new URL(back.headers.get('location') ?? '')
  expect((await openBrowser(service.url).visit(address.href)).status).toBe(400)
  const forged = new URL(address)
  forged.searchParams.set('state', 'another')
  expect((await browser.ask(forged.href)).status).toBe(400)
  expect(browser.cookies.has('pullpress_session')).toBe(false)

  host.oauth.browser.denies = true
  const denied = await openBrowser(service.url).visit('/sign-in/host')
  host.oauth.browser.denies = false
  expect(denied.status).toBe(400)
  expect(await denied.text()).toContain('Sign-in was not completed')
})

test('redirects only to its own pages', async () => {
  for (const to of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '//own//evil.example',
    'javascript:alert(1)',
    '\thttps://evil.example',
  ])
    expect((await openBrowser(service.url).visit(`/sign-in/host?to=${encodeURIComponent(to)}`)).url).toBe(
      `${service.url}/read`,
    )
})

test('accepts a pasted token when no OAuth app is configured', async () => {
  const browser = openBrowser(plain.url)
  expect(await (await browser.visit('/sign-in')).text()).toContain('type="password"')
  expect((await browser.submit('/sign-in', { token: 'no-such-token' })).status).toBe(400)
  expect((await browser.submit('/sign-in', { token: 'two words' })).status).toBe(400)
  const token = plain.host.token('paster')
  const page = await browser.submit('/sign-in', { token, to: '/read' })
  expect(page.status).toBe(200)
  expect((await profile(browser)).hostUsername).toBe('paster')

  await plain.call('logOut', { token })
  expect((await browser.ask('/users/me')).status).toBe(401)
  expect((await openBrowser(plain.url).submit('/sign-in', { token })).status).toBe(400)
})

/** Submits the form that continues the action for which the user signed in. */
async function goOn(browser: Browser, page: Response) {
  const [, action = '', rest = ''] =
    /<form method="post" action="([^"]+)" data-go-on>(.*?)<\/form>/s.exec(await page.text()) ?? []
  const fields = [...rest.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  return browser.submit(action, Object.fromEntries(fields))
}

async function favoritesOf(browser: Browser) {
  const { data } = (await (await browser.ask('/users/me/favorite-repositories')).json()) as {
    data: { data: { repositoryFullName: string }[] }
  }
  return data.data.map(({ repositoryFullName }) => repositoryFullName)
}

test('says why to sign in and where to create a token, then continues the requested action', async () => {
  plain.host.repository({ id: 910, owner: 'acme', name: 'wished', pulls: [{ number: 1, files: [changed('a.ts')] }] })
  const browser = openBrowser(plain.url)
  expect(await (await browser.visit('/sign-in')).text()).toContain('With an account you can')
  expect(await (await browser.visit('/sign-in?to=/read/me')).text()).toMatch(
    /to see this page[\s\S]*<a href="\/read">Back/,
  )
  const page = await (await browser.submit('/read/open', { address: 'acme/wished#1' })).text()
  expect(page).toContain('Sign in to have an article about acme/wished#1 written.')
  expect(page).toContain('<a href="https://github.com/settings/tokens" rel="external">Create a token on github.com</a>')
  expect(page).toContain('<a href="/read?address=acme%2Fwished%231">Back</a>')
  const form = { for: 'write', address: 'acme/wished#1', to: '/read?address=acme%2Fwished%231' }
  const refused = await (await browser.submit('/sign-in', { ...form, token: 'no-such-token' })).text()
  expect(refused).toContain('name="address" value="acme/wished#1"')
  let opened = await goOn(browser, await browser.submit('/sign-in', { ...form, token: plain.host.token('wisher') }))
  while (opened.url.includes('/writing/')) opened = await browser.visit(opened.url)
  const [, articleId = ''] = /\/articles\/([\w-]{36})/.exec(opened.url) ?? []
  expect(opened.status).toBe(200)

  const fan = openBrowser(plain.url)
  const article = await (await fan.visit(opened.url)).text()
  const [, address = ''] = /<p class="like"><a[^>]*href="([^"]+)"/.exec(article) ?? []
  expect(await (await fan.visit(address.replaceAll('&amp;', '&'))).text()).toContain('Sign in to like this article.')
  const wish = Object.fromEntries(new URLSearchParams(address.replaceAll('&amp;', '&').split('?')[1]))
  const liked = await goOn(fan, await fan.submit('/sign-in', { ...wish, token: plain.host.token('fan') }))
  expect(liked.url).toContain(articleId)
  expect(await liked.text()).toContain('aria-pressed="true"')
})

test('continues the action requested before OAuth, unless another site requested the action', async () => {
  host.repository({ id: 911, owner: 'acme', name: 'followed' })
  host.oauth.browser.login = 'lured'
  const wish = 'for=follow&repository=acme/followed&to=/read'
  const browser = openBrowser(service.url)
  const page = await (await browser.visit(`/sign-in?${wish}`)).text()
  expect(page).toContain('Sign in to add acme/followed to your favorites.')
  const [, link = ''] = /<a class="button" href="([^"]+)">Sign in with/.exec(page) ?? []
  const begin = async (path: string, site?: string) => {
    const begun = await browser.ask(path, { headers: site ? { 'sec-fetch-site': site } : {} })
    return browser.visit(begun.headers.get('location') ?? '')
  }
  const smuggled = `/sign-in/host?to=${encodeURIComponent(`/sign-in?${wish}`)}`
  for (const [path, site] of [
    [`/sign-in/host?${wish}`, 'cross-site'],
    [`/sign-in/host?${wish}`, undefined],
    [smuggled, 'same-origin'],
  ] as const) {
    const back = await begin(path, site)
    expect(back.url).toBe(`${service.url}/read`)
    expect(await back.text()).not.toContain('data-go-on')
  }
  expect(await (await browser.visit(`/sign-in?${wish}`)).text()).not.toContain('data-go-on')
  expect(await favoritesOf(browser)).toEqual([])
  await goOn(browser, await begin(link.replaceAll('&amp;', '&'), 'same-origin'))
  expect(await favoritesOf(browser)).toEqual(['acme/followed'])
})

const register = (browser: Browser, repo: string) =>
  me(browser, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ owner: 'acme', repo }),
  })

test('a session works in the API like a bearer token, with the access of its own token', async () => {
  host.repository({ id: 900, owner: 'acme', name: 'secret', private: true, members: ['member'] })
  expect((await register(await signedIn('member'), 'secret')).status).toBe(201)
  expect((await register(await signedIn('stranger'), 'secret')).status).toBe(404)
})

test('a session with a weak token does not use a stronger token of the same user', async () => {
  plain.host.repository({ id: 901, owner: 'acme', name: 'vault' })
  const [weak, strong] = [plain.host.token('both'), plain.host.token('both')]
  const [browser, later] = [openBrowser(plain.url), openBrowser(plain.url)]
  await browser.submit('/sign-in', { token: weak })
  await later.submit('/sign-in', { token: strong })
  await browser.submit('/read/favorites', { repository: 'acme/vault' })
  const authorizations = plain.host.calls.filter(({ path }) => path.includes('vault')).map((call) => call.authorization)
  expect([...new Set(authorizations)]).toEqual([`Bearer ${weak}`])
})

test('a session uses the token that it saved', async () => {
  plain.host.repository({ id: 903, owner: 'acme', name: 'cellar' })
  const [first, second] = [plain.host.token('saver'), plain.host.token('saver')]
  const browser = openBrowser(plain.url)
  await browser.submit('/sign-in', { token: first })
  const body = JSON.stringify({ hostAccessToken: second })
  const headers = { 'content-type': 'application/json', origin: plain.url }
  expect((await browser.ask('/auth/token/exchange', { method: 'POST', headers, body })).status).toBe(200)
  await browser.submit('/read/favorites', { repository: 'acme/cellar' })
  expect(plain.host.calls.findLast(({ path }) => path.includes('cellar'))?.authorization).toBe(`Bearer ${second}`)
})

test('during a long outage of the code host, serves public pages and lets users sign out', async () => {
  const browser = await signedIn('waiting')
  host.fail({ path: /^\/user$/, times: 100, act: faults.status(503) })
  service.advance(25 * 60 * MINUTE)
  expect((await browser.visit('/read')).status).toBe(200)
  expect((await browser.submit('/sign-out', {})).status).toBe(200)
  host.heal()
  expect(browser.cookies.has('pullpress_session')).toBe(false)
})

test('a revoked token ends the sessions that it opened, and no other', async () => {
  const [one, other] = [await signedIn('leaver'), await signedIn('leaver')]
  const [first] = host.tokens().slice(-2)
  host.revoke(first ?? '')
  service.advance(11 * MINUTE)
  expect((await me(one)).status).toBe(401)
  expect((await me(other)).status).toBe(200)
})

test('allows at most twenty sessions per user and one per browser', async () => {
  const browsers = []
  for (let i = 0; i < 21; i++) browsers.push(await signedIn('many'))
  expect((await me(browsers[0] as Browser)).status).toBe(401)
  expect((await me(browsers[1] as Browser)).status).toBe(200)
  const last = browsers.at(-1) as Browser
  const replaced = last.cookies.get('pullpress_session')
  await last.visit('/sign-in/host')
  expect((await me(last)).status).toBe(200)
  const headers = { cookie: `pullpress_session=${replaced}` }
  expect((await fetch(`${service.url}/users/me`, { headers })).status).toBe(401)
})

test('ignores the cookie on cross-site API requests and refuses cross-site requests for private access', async () => {
  const browser = await signedIn('led')
  expect((await me(browser, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(401)
  expect((await me(browser, { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200)
  const begun = await browser.ask('/sign-in/host?access=private', { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(begun.headers.get('location')).toBe('/sign-in')
})

test('with an OIDC issuer, a user signs in with a pasted token of the issuer, and the saved token is used for host calls', async () => {
  const issuer = await startFakeIssuer()
  const federated = await startService({ issuer })
  const saved = federated.host.token('federated')
  const token = await issuer.token({ sub: 'someone' })
  expect((await openBrowser(federated.url).submit('/sign-in', { token })).status).toBe(403)
  await federated.call('signUp', { token, body: { hostAccessToken: saved } })
  const browser = openBrowser(federated.url)
  expect((await browser.submit('/sign-in', { token, to: '/read/me' })).status).toBe(200)
  expect((await profile(browser)).hostUsername).toBe('federated')
  federated.host.repository({ id: 902, owner: 'acme', name: 'open' })
  expect((await browser.submit('/read/favorites', { repository: 'acme/open' })).status).toBe(200)
  expect(federated.host.calls.at(-1)?.authorization).toBe(`Bearer ${saved}`)
  federated.advance(61 * MINUTE)
  expect((await me(browser)).status).toBe(401)
  await federated.close()
  await issuer.close()
})

test('prefers the Authorization header over the cookie', async () => {
  const browser = await signedIn('cookie-owner')
  const token = await service.signedUp('header-owner')
  const answer = await me(browser, { headers: { authorization: `Bearer ${token}` } })
  expect(await answer.json()).toMatchObject({ data: { hostUsername: 'header-owner' } })
  expect((await me(browser, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
})

test('logs once which variable is missing if browsers use https without PUBLIC_URL', async () => {
  const named = () => plain.logged.filter((line) => line.includes('PUBLIC_URL')).length
  await fetch(`${plain.url}/read`)
  expect(named()).toBe(0)
  for (let i = 0; i < 2; i++) await fetch(`${plain.url}/read`, { headers: { 'x-forwarded-proto': 'https' } })
  expect(named()).toBe(1)

  const other = await startService({ env: { PUBLIC_URL: 'https://pullpress.example.com' } })
  await fetch(`${other.url}/read`, { headers: { 'x-forwarded-proto': 'https' } })
  expect(other.logged.filter((line) => line.includes('PUBLIC_URL'))).toEqual([])
  await other.close()

  // The hint is also logged if the proxy is known, because a proxy may not pass on the host name.
  const proxied = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  await fetch(`${proxied.url}/read`, { headers: { 'x-forwarded-proto': 'https' } })
  expect(proxied.logged.filter((line) => line.includes('set PUBLIC_URL.'))).toHaveLength(1)
  await proxied.close()

  const fresh = await startService()
  const headers = { origin: fresh.url.replace('http:', 'https:'), 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fetch(`${fresh.url}/sign-in`, { method: 'POST', headers, body: 'token=x' })).status).toBe(403)
  expect(fresh.logged.filter((line) => line.includes('PUBLIC_URL'))).toHaveLength(1)
  await fresh.close()
})

test('logs once that browsers use another URL than PUBLIC_URL', async () => {
  const { port } = new URL(service.url)
  const named = await startService({ env: { PUBLIC_URL: 'http://press.example.com' } })
  const hints = () => named.logged.filter((line) => line.includes('PUBLIC_URL'))
  const post = (origin: string) => {
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
    return fetch(`${named.url}/sign-in`, { method: 'POST', headers, body: 'token=x' })
  }
  await post(`https://127.0.0.1:${port}`)
  expect(hints()).toEqual([])
  for (let i = 0; i < 2; i++) expect((await post(named.url.replace('http:', 'https:'))).status).toBe(403)
  expect(hints()).toEqual([expect.stringContaining('PUBLIC_URL is http://press.example.com')])
  await named.close()
})

test('logs once that X-Forwarded-For of an unknown proxy is ignored', async () => {
  const hints = ({ logged }: typeof service) => logged.filter((line) => line.includes('X-Forwarded-For'))
  const forwarded = { headers: { 'x-forwarded-for': '198.51.100.1' } }
  const unaware = await startService()
  await fetch(`${unaware.url}/read`)
  expect(hints(unaware)).toEqual([])
  for (let i = 0; i < 2; i++) await fetch(`${unaware.url}/read`, forwarded)
  expect(hints(unaware)).toEqual([expect.stringContaining('add it to TRUSTED_PROXIES')])
  await unaware.close()
  const aware = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  await fetch(`${aware.url}/read`, forwarded)
  await fetch(`${aware.url}/read`, { headers: { 'x-forwarded-for': '127.0.0.1, 127.0.0.1' } })
  expect(hints(aware)).toEqual([])
  await aware.close()
})
