import { afterAll, expect, test } from 'vitest'
import { ACCESS_TOKEN_SECONDS, CLIENT } from '../../scripts/fakeHost/fakeOAuth.ts'
import { openBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const service = await startService({ env: CLIENT, hasPages: true })
const { host, database } = service
const otherNode = await startService({ env: CLIENT, hasPages: true, beside: { host, database } })
host.oauth.settings.expires = true
host.repository({ id: 1, owner: 'acme', name: 'shop' })
afterAll(async () => {
  await otherNode.close()
  await service.close()
})

const MINUTE = 60_000
const LIFETIME = ACCESS_TOKEN_SECONDS * 1000
const { renewals } = host.oauth

function advance(milliseconds: number): void {
  for (const clock of [service, otherNode, host.oauth]) clock.advance(milliseconds)
}

/** Signs in with a browser, and returns a function that asks either node with its session. */
async function signedIn(login: string) {
  host.oauth.browser.login = login
  const browser = openBrowser(service.url)
  expect((await browser.visit('/sign-in/host')).status).toBe(200)
  const cookie = `pullpress_session=${browser.cookies.get('pullpress_session')}`
  return (path: string, node = service) => fetch(node.url + path, { headers: { cookie }, redirect: 'manual' })
}

/** Asks both nodes at once: half of the requests need the code host, with the token of the session. */
async function askBoth(ask: Awaited<ReturnType<typeof signedIn>>) {
  const paths = ['/users/me', '/host/repositories?q=shop', '/users/me', '/host/repositories?q=acme', '/users/me/feed']
  const answers = await Promise.all(
    [...paths, ...paths].map((path, i) => ask(path, i < paths.length ? service : otherNode)),
  )
  return answers.map(({ status }) => status)
}

test('a session outlives three expiries of its token on two nodes, with one renewal each', async () => {
  const ask = await signedIn('lasting')
  for (let expiry = 1; expiry <= 3; expiry++) {
    advance(LIFETIME)
    expect(await askBoth(ask)).toEqual(Array(10).fill(200))
    expect(renewals).toEqual({ granted: expiry, refused: 0 })
  }
})

test('renews a token before it expires, while the other node still uses the former one', async () => {
  const ask = await signedIn('early')
  const { granted } = renewals
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  host.fail({
    path: /^\/search\/repositories$/,
    act: async (request, response) => {
      arrived.resolve()
      await released.promise
      host.answer(request, response)
    },
  })
  const held = ask('/host/repositories?q=shop', otherNode)
  await arrived.promise
  advance(LIFETIME - 20 * MINUTE)
  expect((await ask('/users/me')).status).toBe(200)
  released.resolve()
  expect((await held).status).toBe(200)
  expect(await askBoth(ask)).toEqual(Array(10).fill(200))
  expect(renewals).toEqual({ granted: granted + 1, refused: 0 })
})

test('a refused renewal ends the session on both nodes, with a 401 that says so', async () => {
  const ask = await signedIn('removed')
  host.oauth.removeApp('removed')
  advance(LIFETIME)
  expect(await askBoth(ask)).toEqual(Array(10).fill(401))
  expect(renewals.refused).toBe(1)
  for (const node of [service, otherNode]) {
    expect(await (await ask('/users/me', node)).json()).toMatchObject({
      error: { code: 'UNAUTHENTICATED' },
      message: 'The code host refused to renew this session. Sign in again.',
    })
  }
})
