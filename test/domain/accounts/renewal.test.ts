import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { ACCESS_TOKEN_SECONDS, CLIENT, REFRESH_TOKEN_SECONDS } from '../../../scripts/fakeHost/fakeOAuth.ts'
import { type Fault, faults } from '../../../scripts/fakeHost/faults.ts'
import { storeRenewed } from '../../../src/db/accounts/refreshTokens.ts'
import { endSessions } from '../../../src/domain/administration/accounts.ts'
import { openBrowser } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: CLIENT, hasPages: true })
const { host, ctx } = service
const { settings, renewals } = host.oauth
settings.expires = true
host.repository({ id: 1, owner: 'acme', name: 'shop' })
afterAll(() => service.close())
afterEach(() => host.heal())

const MINUTE = 60_000
const LIFETIME = ACCESS_TOKEN_SECONDS * 1000
const REFUSED = 'The code host refused to renew this session. Sign in again.'
type Browser = ReturnType<typeof openBrowser>

function advance(milliseconds: number): void {
  service.advance(milliseconds)
  host.oauth.advance(milliseconds)
}

async function signedIn(login: string, language?: string): Promise<Browser> {
  host.oauth.browser.login = login
  const browser = openBrowser(service.url, language)
  expect((await browser.visit('/sign-in/host')).status).toBe(200)
  return browser
}

const me = async (browser: Browser) => (await browser.ask('/users/me')).status
/** A search, which calls the code host with the token of the session. */
const search = async (browser: Browser, q = 'shop') => (await browser.ask(`/host/repositories?q=${q}`)).status

async function errorOf(browser: Browser) {
  const { error, message } = (await (await browser.ask('/users/me')).json()) as Record<
    string,
    { code: string } | string
  >
  return [typeof error === 'object' && error.code, message]
}

async function storedRefreshTokens(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from refresh_tokens where sealed is not null`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

const failRenewal = (act: Fault['act'], times = 100) => host.fail({ path: /\/access_token$/, times, act })
const answer = (body: object, status = 200) => faults.status(status, {}, body as { message: string })

test.each([
  ['answers 503', faults.status(503)],
  ['resets the connection', faults.reset],
  ['rejects our own configuration', answer({ error: 'incorrect_client_credentials' })],
  ['answers something else', answer({ message: 'Welcome' })],
  ['redirects elsewhere', faults.redirect('http://127.0.0.1:1/')],
])('a session stays valid if the code host at first %s when its token is renewed', async (_, act) => {
  const browser = await signedIn('waiting')
  const before = { ...renewals }
  failRenewal(act)
  advance(LIFETIME - 15 * MINUTE)
  expect([await me(browser), await search(browser)]).toEqual([200, 200])
  advance(20 * MINUTE)
  expect([await me(browser), await search(browser, 'other')]).toEqual([200, 502])
  host.heal()
  expect(await search(browser, 'third')).toBe(200)
  expect(renewals).toEqual({ ...before, granted: before.granted + 1 })
  expect(service.logged.some((line) => line.includes('Could not renew the access token of a session.'))).toBe(true)
})

test.each([
  ['with status 503', faults.status(503)],
  ['with an error code and status 200', answer({ error: 'incorrect_client_credentials' })],
])('20 requests that wait for a renewal share a failed response %s', async (_, act) => {
  const browser = await signedIn('crowded')
  const released = Promise.withResolvers<void>()
  let calls = 0
  failRenewal(async (request, response) => {
    calls += 1
    await released.promise
    act(request, response)
  })
  host.revoke(host.tokens().at(-1) ?? '')
  const before = host.callsTo('/search/repositories')
  const searches = Array.from({ length: 20 }, (_, i) => search(browser, `q${i}`))
  await expect.poll(() => host.callsTo('/search/repositories')).toBe(before + 20)
  released.resolve()
  expect(await Promise.all(searches)).toEqual(Array(20).fill(502))
  expect(calls).toBeLessThanOrEqual(2)
})

test.each([
  ['bad_refresh_token with status 200', answer({ error: 'bad_refresh_token' })],
  ['invalid_grant with status 400', answer({ error: 'invalid_grant' }, 400)],
])('a renewal that gets %s ends the session, even if the access token has not expired', async (_, act) => {
  const browser = await signedIn('refused')
  failRenewal(act, 1)
  advance(LIFETIME - 15 * MINUTE)
  for (let i = 0; i < 2; i++) expect(await errorOf(browser)).toEqual(['UNAUTHENTICATED', REFUSED])
})

test('a session ends if the response with its new tokens is lost, because its refresh token is then used up', async () => {
  const browser = await signedIn('unlucky')
  settings.lostAnswers = 1
  advance(LIFETIME - 15 * MINUTE)
  expect(await errorOf(browser)).toEqual(['UNAUTHENTICATED', REFUSED])
})

test('stores the new tokens after a short failure of the database', async () => {
  const browser = await signedIn('stored')
  await sql`create sequence attempts`.execute(ctx.db)
  await sql`
    create function fail_twice() returns trigger language plpgsql as $$
    begin
      if nextval('attempts') <= 2 then raise exception 'The disk is slow.'; end if;
      return new;
    end $$`.execute(ctx.db)
  await sql`
    create trigger fail_twice before update on refresh_tokens for each row execute function fail_twice()`.execute(
    ctx.db,
  )
  advance(LIFETIME)
  expect([await me(browser), await search(browser)]).toEqual([200, 200])
  await sql`drop trigger fail_twice on refresh_tokens`.execute(ctx.db)
})

test('renews a token if the code host rejects it before it expires', async () => {
  const browser = await signedIn('hasty')
  const { granted } = renewals
  host.revoke(host.tokens().at(-1) ?? '')
  expect(await search(browser)).toBe(200)
  host.revoke(host.tokens().at(-1) ?? '')
  advance(15 * MINUTE)
  expect(await me(browser)).toBe(200)
  expect(renewals.granted).toBe(granted + 2)
})

test('renews a token after 29 days without a visit, but not after the refresh token has expired', async () => {
  const [browser, late] = [await signedIn('traveller'), await signedIn('traveller')]
  advance(29 * 24 * 60 * MINUTE)
  expect(await me(browser)).toBe(200)
  await sql`update sessions set expires_at = expires_at + interval '1 year'`.execute(ctx.db)
  advance(REFRESH_TOKEN_SECONDS * 1000)
  expect(await errorOf(late)).toEqual(['UNAUTHENTICATED', REFUSED])
})

test('keeps the refresh token if the code host returns no new one', async () => {
  const browser = await signedIn('reusing')
  for (let i = 0; i < 2; i++) {
    host.revoke(host.tokens().at(-1) ?? '')
    const access_token = host.token('reusing')
    failRenewal(answer({ access_token, token_type: 'bearer', expires_in: ACCESS_TOKEN_SECONDS }), 1)
    advance(LIFETIME)
    expect([await me(browser), await search(browser)]).toEqual([200, 200])
  }
})

test('does not log the tokens of an unusable renewal response', async () => {
  const browser = await signedIn('careful')
  failRenewal(answer({ access_token: host.token('careful'), token_type: 'mac' }), 1)
  advance(LIFETIME - 15 * MINUTE)
  expect(await me(browser)).toBe(200)
})

test('signing out deletes the refresh token', async () => {
  const before = await storedRefreshTokens()
  const browser = await signedIn('leaver')
  expect(await storedRefreshTokens()).toBe(before + 1)
  const kept = browser.cookies.get('pullpress_session')
  await browser.submit('/sign-out', {})
  expect(await storedRefreshTokens()).toBe(before)
  const headers = { cookie: `pullpress_session=${kept}` }
  expect(await (await fetch(`${service.url}/users/me`, { headers })).json()).toMatchObject({
    message: 'This session has ended. Sign in again.',
  })
})

test('deletes the refresh tokens of a user when an operator ends the sessions or the user deletes the account', async () => {
  const before = await storedRefreshTokens()
  const [ended, deleted] = [await signedIn('ended'), await signedIn('deleted')]
  await endSessions(ctx.db, 'ended', { by: 'operator', note: null, at: ctx.now() })
  expect(await storedRefreshTokens()).toBe(before + 1)
  expect(await me(ended)).toBe(401)
  await deleted.submit('/read/leave', { sure: 'yes' })
  expect(await storedRefreshTokens()).toBe(before)
})

test('stores no renewed token for a session that ended during the renewal', async () => {
  await signedIn('hurried')
  const sessions = ctx.db.selectFrom('sessions').orderBy('created_at', 'desc').limit(1)
  const { id, opened_by } = await sessions.select(['id', 'opened_by']).executeTakeFirstOrThrow()
  const openedBy = opened_by ?? Buffer.alloc(0)
  await endSessions(ctx.db, 'hurried', { by: 'operator', note: null, at: ctx.now() })
  const renewed = { key_id: 'key', sealed: Buffer.from('renewed') }
  const access = { ...renewed, opened_by: Buffer.from('other') }
  const refresh = { ...renewed, access_expires_at: null }
  await storeRenewed(ctx.db, { sessionId: id, openedBy }, { access, refresh })
  const stored = ctx.db.selectFrom('sessions').where('id', '=', id).select(['key_id', 'sealed', 'opened_by'])
  expect(await stored.execute()).toEqual([{ key_id: null, sealed: null, opened_by }])
})

test('a session is not renewed after its user saved another host token', async () => {
  const before = await storedRefreshTokens()
  const browser = await signedIn('saver')
  const { granted } = renewals
  const body = JSON.stringify({ hostAccessToken: host.token('saver') })
  const headers = { 'content-type': 'application/json', origin: service.url }
  expect((await browser.ask('/auth/token/exchange', { method: 'POST', headers, body })).status).toBe(200)
  expect(await storedRefreshTokens()).toBe(before)
  advance(LIFETIME)
  expect([await me(browser), await search(browser)]).toEqual([200, 200])
  expect(renewals.granted).toBe(granted)
})

test.each([
  ['en', 'You were signed out: the code host no longer renews your session.'],
  ['ja', 'コードホストがセッションを更新しなかったため、サインアウトしました。'],
])('the sign-in page says in %s why a session ended', async (language, reason) => {
  const browser = await signedIn('stopped', language)
  host.oauth.removeApp('stopped')
  advance(LIFETIME)
  expect((await browser.visit('/read')).status).toBe(200)
  const page = await browser.visit('/read/me')
  expect(await page.text()).toContain('/sign-in')
  const signIn = await browser.visit('/sign-in?to=/read/me')
  expect(await signIn.text()).toContain(reason)
  await browser.visit('/sign-in/host')
  expect(await me(browser)).toBe(200)
})

test('the sign-in page gives no reason after a sign-out or for an unknown session', async () => {
  const browser = await signedIn('ordinary')
  const kept = browser.cookies.get('pullpress_session')
  await browser.submit('/sign-out', {})
  for (const session of [kept, 'unknown']) {
    const headers = { cookie: `pullpress_session=${session}` }
    expect(await (await fetch(`${service.url}/sign-in`, { headers })).text()).not.toContain('role="alert"')
  }
})
