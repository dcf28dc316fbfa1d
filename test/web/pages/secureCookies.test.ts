import { afterAll, expect, test } from 'vitest'
import { CLIENT } from '../../../scripts/fakeHost/fakeOAuth.ts'
import { openBrowser } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { ...CLIENT, TRUSTED_PROXIES: '127.0.0.1' }, hasPages: true })
afterAll(() => service.close())

/** The header that a proxy with TLS sends. */
const https = { 'x-forwarded-proto': 'https' }
const origin = service.url.replace('http:', 'https:')

async function signedIn() {
  service.host.oauth.browser.login = 'careful'
  const browser = openBrowser(service.url)
  const begun = await browser.ask('/sign-in/host', { headers: https })
  const back = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' })
  const callback = new URL(back.headers.get('location') ?? '')
  const done = await browser.ask(callback.pathname + callback.search, { headers: https })
  return { browser, lines: [...begun.headers.getSetCookie(), ...done.headers.getSetCookie()] }
}

const statusWith = async (cookie: string, headers: Record<string, string>) =>
  (await fetch(`${service.url}/users/me`, { headers: { cookie, ...headers } })).status

test('over https, cookies of the sign-in and the session are bound to our host', async () => {
  const { browser, lines } = await signedIn()
  expect(lines.map((line) => line.split('=')[0])).toEqual([
    '__Host-pullpress_signing_in',
    '__Host-pullpress_session',
    '__Host-pullpress_signing_in',
  ])
  for (const line of lines) {
    const attributes = line.split('; ').slice(1)
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']))
    expect(line).not.toContain('Domain')
  }
  expect([...browser.cookies.keys()]).toEqual(['__Host-pullpress_session'])
  const session = browser.cookies.get('__Host-pullpress_session') ?? ''
  expect(await statusWith(`__Host-pullpress_session=${session}`, https)).toBe(200)
  expect((await browser.ask('/read/me', { headers: https })).status).toBe(200)
})

test('http requests ignore the cookie name for https, and vice versa', async () => {
  const { browser } = await signedIn()
  const session = browser.cookies.get('__Host-pullpress_session') ?? ''
  expect(await statusWith(`pullpress_session=${session}`, https)).toBe(401)
  expect(await statusWith(`__Host-pullpress_session=${session}`, {})).toBe(401)
  const page = await fetch(`${service.url}/read`, { headers: { cookie: `pullpress_session=${session}`, ...https } })
  expect(await page.text()).not.toContain('careful')
})

test('signing out over https removes the cookie', async () => {
  const { browser } = await signedIn()
  await browser.ask('/sign-out', { method: 'POST', headers: { origin, ...https } })
  expect(browser.cookies.size).toBe(0)
})
