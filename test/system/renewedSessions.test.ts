import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { ACCESS_TOKEN_SECONDS, CLIENT } from '../../scripts/fakeHost/fakeOAuth.ts'
import { openBrowser } from '../support/browser.ts'
import { hold } from '../support/hold.ts'
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

let movedMs = 0

function advance(milliseconds: number): void {
  movedMs += milliseconds
  for (const clock of [service, otherNode, host.oauth]) clock.advance(milliseconds)
}

/** Signs in with a browser, and returns a function that sends requests with its session to either node. */
async function signedIn(login: string) {
  host.oauth.browser.login = login
  const browser = openBrowser(service.url)
  expect((await browser.visit('/sign-in/host')).status).toBe(200)
  const cookie = `pullpress_session=${browser.cookies.get('pullpress_session')}`
  return (path: string, node = service, method = 'GET') =>
    fetch(node.url + path, { method, headers: { cookie, origin: node.url }, redirect: 'manual' })
}

/** Sends requests to both nodes at once. Some of the requests call the code host with the token of the session. */
async function askBoth(ask: Awaited<ReturnType<typeof signedIn>>) {
  const paths = ['/users/me', '/host/repositories?q=shop', '/users/me', '/host/repositories?q=acme', '/users/me/feed']
  const answers = await Promise.all(
    [...paths, ...paths].map((path, i) => ask(path, i < paths.length ? service : otherNode)),
  )
  return answers.map(({ status }) => status)
}

test('a session on two nodes outlives three expiries of its token, with one renewal for each expiry', async () => {
  const ask = await signedIn('lasting')
  for (let expiry = 1; expiry <= 3; expiry++) {
    advance(LIFETIME)
    expect(await askBoth(ask)).toEqual(Array(10).fill(200))
    expect(renewals).toEqual({ granted: expiry, refused: 0 })
  }
})

test('renews a token before it expires, even while the other node still uses the old one', async () => {
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

/** Holds back the response to the next renewal, after the code host has consumed the refresh token. */
function slowRenewal() {
  const isHeld = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  host.fail({
    path: /access_token$/,
    act(request, response) {
      const end = response.end.bind(response)
      response.end = ((body: string) => {
        isHeld.resolve()
        void released.promise.then(() => end(body))
      }) as typeof response.end
      host.oauth.answers(request, response)
    },
  })
  return { isHeld: isHeld.promise, release: released.resolve }
}

/** Whether the latest query of some connection checks if a lease is still held. */
async function isWaitingForLease(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and query like 'select "name" from "leases"%'`.execute(service.ctx.db)
  return rows.length > 0
}

test.each([90_000, -90_000])(
  'two nodes renew a token only once, although the clock of one machine differs by %d ms',
  async (skewMs) => {
    const skewed = await startService({ env: CLIENT, hasPages: true, beside: { host, database }, skewMs })
    skewed.advance(movedMs)
    const ask = await signedIn('skewed')
    advance(LIFETIME)
    skewed.advance(LIFETIME)
    const before = { ...renewals }
    const { isHeld, release } = slowRenewal()
    const first = ask('/users/me')
    await isHeld
    const second = ask('/users/me', skewed)
    await expect.poll(isWaitingForLease).toBe(true)
    release()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    expect(renewals).toEqual({ ...before, granted: before.granted + 1 })
    await skewed.close()
  },
)

test('a node that takes over a renewal and is refused waits until the late node stores the new tokens', async () => {
  const ask = await signedIn('overtaken')
  advance(LIFETIME)
  const before = { ...renewals }
  const { isHeld, release } = slowRenewal()
  const first = ask('/users/me')
  await isHeld
  await sql`update leases set until = now() - interval '1 minute' where name like 'renewing %'`.execute(service.ctx.db)
  const second = ask('/users/me', otherNode)
  await expect.poll(() => renewals.refused).toBe(before.refused + 1)
  release()
  expect([(await first).status, (await second).status]).toEqual([200, 200])
  expect(await askBoth(ask)).toEqual(Array(10).fill(200))
  expect(renewals).toEqual({ granted: before.granted + 1, refused: before.refused + 1 })
})

test('a node that loses a renewal and is refused waits until the other node stores the new tokens', async () => {
  const ask = await signedIn('stalled')
  advance(LIFETIME)
  const before = { ...renewals }
  const stalled = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  host.fail({
    path: /access_token$/,
    act: async (request, response) => {
      arrived.resolve()
      await stalled.promise
      host.oauth.answers(request, response)
    },
  })
  const first = ask('/users/me')
  await arrived.promise
  await sql`update leases set until = now() - interval '1 minute' where name like 'renewing %'`.execute(service.ctx.db)
  const { isHeld, release } = slowRenewal()
  const second = ask('/users/me', otherNode)
  await isHeld
  stalled.resolve()
  await expect.poll(() => renewals.refused).toBe(before.refused + 1)
  release()
  expect([(await first).status, (await second).status]).toEqual([200, 200])
  expect(renewals).toEqual({ granted: before.granted + 1, refused: before.refused + 1 })
})

test('a refused renewal ends the session on both nodes, which return 401 and give the reason', async () => {
  const ask = await signedIn('removed')
  host.oauth.removeApp('removed')
  advance(LIFETIME)
  const { refused } = renewals
  expect(await askBoth(ask)).toEqual(Array(10).fill(401))
  expect(renewals.refused).toBe(refused + 1)
  for (const node of [service, otherNode]) {
    expect(await (await ask('/users/me', node)).json()).toMatchObject({
      error: { code: 'UNAUTHENTICATED' },
      message: 'The code host refused to renew this session. Sign in again.',
    })
  }
})

test('a refused renewal and signing out at the same time do not deadlock', async () => {
  const ask = await signedIn('leaving')
  const { db } = service.ctx
  await sql`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(1);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger wait_for_test before update on refresh_tokens for each row execute function wait_for_test()`.execute(
    db,
  )
  const waiting = async (event: string) => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event = ${event}`.execute(db)
    return rows.length
  }
  const release = await hold(db, (trx) => sql`select pg_advisory_xact_lock(1)`.execute(trx))
  host.oauth.removeApp('leaving')
  const renewing = ask('/host/repositories?q=shop')
  await expect.poll(() => waiting('advisory')).toBe(1)
  const leaving = ask('/sign-out', otherNode, 'POST')
  await expect.poll(() => waiting('transactionid')).toBe(1)
  await release()
  expect([(await renewing).status, (await leaving).status]).toEqual([401, 303])
})
