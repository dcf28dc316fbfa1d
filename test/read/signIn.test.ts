import { afterAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { CLIENT } from '../support/fakeOAuth.ts'
import { startService } from '../support/service.ts'

const plain = await startService()
const service = await startService({ env: CLIENT, hasPages: true })
const { host } = service
afterAll(async () => {
  await service.close()
  await plain.close()
})

const DAY = 24 * 60 * 60_000
const me = (browser: ReturnType<typeof openBrowser>, init: RequestInit = {}) => browser.ask('/users/me', init)

async function profile(browser: ReturnType<typeof openBrowser>) {
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

test('signs in with the code host, asking for no scope, and signs up with the browser’s language', async () => {
  const browser = await signedIn('newcomer')
  const asked = host.oauth.asked.at(-1)
  expect(asked?.get('scope')).toBeNull()
  expect(asked?.get('code_challenge_method')).toBe('S256')
  expect(asked?.get('state')?.length).toBeGreaterThan(30)
  expect(await profile(browser)).toMatchObject({ hostUsername: 'newcomer', language: 'en' })
  expect(await (await browser.visit('/read')).text()).toContain('newcomer')
})

test('access to private repositories is asked for apart, by somebody who wants it', async () => {
  const browser = await signedIn('wary')
  expect(await (await browser.visit('/read/me')).text()).toContain('access=private')
  await browser.visit('/sign-in/host?access=private&to=/read/me')
  expect(host.oauth.asked.at(-1)?.get('scope')).toBe('repo')
})

test('the cookie is out of reach for scripts and other sites', async () => {
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

test('signing out ends this session alone', async () => {
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

test('a session ends by itself after a month', async () => {
  const browser = await signedIn('patient')
  service.advance(29 * DAY)
  expect((await me(browser)).status).toBe(200)
  service.advance(2 * DAY)
  expect((await me(browser)).status).toBe(401)
  expect(await (await browser.visit('/read')).text()).not.toContain('patient')
})

test('what changes anything is accepted from our own origin alone', async () => {
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
    expect(await answer.json()).toMatchObject({ error: { code: 'FORBIDDEN' } })
    for (const path of ['/sign-out', '/sign-in', '/read/language'])
      expect((await browser.submit(path, { language: 'ja' }, headers as Record<string, string>)).status).toBe(403)
  }
  expect((await profile(browser)).language).toBe('en')
  expect((await patch({ origin: service.url })).status).toBe(200)
  expect((await patch({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
})

test('what comes back from the code host must fit what was begun', async () => {
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
  expect(await denied.text()).toContain('Signing in was not completed')
})

test('leads nowhere but to our own pages', async () => {
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

test('where there is no OAuth app, a pasted token does the same', async () => {
  const browser = openBrowser(plain.url)
  expect(await (await browser.visit('/sign-in')).text()).toContain('type="password"')
  expect((await browser.submit('/sign-in', { token: 'no-such-token' })).status).toBe(400)
  expect((await browser.submit('/sign-in', { token: 'two words' })).status).toBe(400)
  const token = plain.host.token('paster')
  const page = await browser.submit('/sign-in', { token, to: '/read' })
  expect(page.status).toBe(200)
  expect((await profile(browser)).hostUsername).toBe('paster')

  await plain.call('logOut', { token })
  expect((await me(browser)).status).toBe(200)
  expect((await openBrowser(plain.url).submit('/sign-in', { token })).status).toBe(400)
})

test('the session reads and acts through the API as a bearer does, with the saved token at the code host', async () => {
  host.repository({ id: 900, owner: 'acme', name: 'secret', private: true, members: ['member'] })
  const browser = await signedIn('member')
  const register = await me(browser, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ owner: 'acme', repo: 'secret' }),
  })
  expect(register.status).toBe(201)
  const stranger = await signedIn('stranger')
  const refused = await me(stranger, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ owner: 'acme', repo: 'secret' }),
  })
  expect(refused.status).toBe(404)
})

test('a header counts more than a cookie', async () => {
  const browser = await signedIn('cookie-owner')
  const token = await service.signedUp('header-owner')
  const answer = await me(browser, { headers: { authorization: `Bearer ${token}` } })
  expect(await answer.json()).toMatchObject({ data: { hostUsername: 'header-owner' } })
  expect((await me(browser, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
})
