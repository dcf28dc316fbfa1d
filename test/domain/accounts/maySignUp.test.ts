import { afterAll, afterEach, expect, test } from 'vitest'
import { CLIENT } from '../../../scripts/fakeHost/fakeOAuth.ts'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { openBrowser } from '../../support/browser.ts'
import { startFakeIssuer } from '../../support/fakeIssuer.ts'
import { connectClient, expectError } from '../../support/mcp.ts'
import { type Service, startService } from '../../support/service.ts'

const WHO = 'Only these may sign up: members of acme; the user alice.'
const DAY = 24 * 60 * 60_000
const MINUTE = 60_000
const service = await startService({ env: { SIGN_UP: 'organizations:acme,logins:alice' }, hasPages: true })
const closed = await startService({ env: { SIGN_UP: 'closed', ...CLIENT }, hasPages: true })
const issuer = await startFakeIssuer()
const { host } = service
const acme = host.organization({ name: 'Acme', members: ['shown', 'discreet', 'browsing'], publicMembers: ['shown'] })
afterEach(() => {
  host.heal()
  acme.forbidsTokens = false
})
afterAll(async () => {
  await service.close()
  await closed.close()
  await issuer.close()
})

const signUp = async (token: string, at: Service = service, body?: object) => {
  const answer = await at.call('signUp', { token, body })
  const { code, details } = answer.body.error ?? {}
  return { status: answer.status, code, reason: details?.reason, message: answer.body.message }
}
const me = async (token: string) => {
  const { status, body } = await service.call('getCurrentUser', { token })
  return [status, body.error?.details?.reason]
}
const REFUSED = { status: 403, code: 'FORBIDDEN', reason: 'sign_up_not_allowed' }
const LOST = [401, 'membership_required']

test('accepts listed users and members, private ones only if their token may read the membership', async () => {
  expect((await signUp(host.token('Alice'))).status).toBe(201)
  expect((await signUp(host.token('shown'))).status).toBe(201)
  acme.forbidsTokens = true
  expect(await signUp(host.token('discreet'))).toEqual({ ...REFUSED, message: WHO })
  acme.forbidsTokens = false
  expect((await signUp(host.token('discreet'))).status).toBe(201)
})

test('refuses all others: in the API, for tools of MCP, and on the sign-in page, which says who may', async () => {
  const token = host.token('stranger')
  expect(await signUp(token)).toEqual({ ...REFUSED, message: WHO })
  const ask = async (bearer: string) => {
    const { call } = await connectClient(service, '2025-11-25', bearer)
    return call('ask_for_article', { pullRequest: 'acme/paper#1' })
  }
  const refused = await ask(token)
  expectError(refused, 'FORBIDDEN')
  expect(refused.error.details.reason).toBe('sign_up_not_allowed')
  expect(refused.text).toContain(`FORBIDDEN: ${WHO} Only the operator of this service can change that.`)
  expectError(await ask(host.token('browsing')), 'USER_NOT_FOUND')
  for (const [language, who] of [
    ['en', 'New accounts are only for members of acme and the user alice.'],
    ['ja', '新しく登録できるのは、次の方のみです: acme のメンバー、ユーザー alice。'],
  ] as const) {
    const browser = openBrowser(service.url, language)
    expect(await (await browser.visit('/sign-in')).text()).toContain(who)
    const page = await browser.submit('/sign-in', { token })
    expect([page.status, browser.cookies.has('pullpress_session')]).toEqual([403, false])
    expect(await page.text()).toContain(language === 'en' ? 'You may not sign up' : '新しく登録できません')
  }
})

test('while sign-up is closed, nobody new may sign up, but existing accounts can still be used', async () => {
  const message = 'Nobody new may sign up.'
  expect(await signUp(closed.host.token('late'), closed)).toEqual({ ...REFUSED, message })
  closed.host.oauth.browser.login = 'late'
  const page = await openBrowser(closed.url).visit('/sign-in/host')
  expect(page.status).toBe(403)
  expect(await page.text()).toContain('This service accepts no new accounts.')
  closed.ctx.config.signUp = { ...closed.ctx.config.signUp, isOpen: true }
  const early = await closed.signedUp('early')
  closed.ctx.config.signUp = { ...closed.ctx.config.signUp, isOpen: false }
  closed.advance(2 * DAY)
  expect((await closed.call('getCurrentUser', { token: early })).status).toBe(200)
  expect((await openBrowser(closed.url).submit('/sign-in', { token: closed.host.token('early') })).status).toBe(200)
})

test('with OAuth, asks for the scope that reads memberships, if an organization may sign up', async () => {
  const app = await startService({ env: { SIGN_UP: 'organizations:acme', ...CLIENT }, hasPages: true })
  app.host.organization(acme)
  app.host.oauth.browser.login = 'discreet'
  const browser = openBrowser(app.url)
  expect((await browser.visit('/sign-in/host')).status).toBe(200)
  expect(app.host.oauth.authorizeRequests.at(-1)?.get('scope')).toBe('read:org')
  expect((await browser.ask('/users/me')).status).toBe(200)
  await app.close()
})

test('with an OpenID Connect issuer, checks the membership with the token that is saved, never with the JWT', async () => {
  const trusting = await startService({ issuer, beside: service, env: { SIGN_UP: 'organizations:acme' } })
  const jwt = await issuer.token({ sub: 'user 1' })
  const body = { hostAccessToken: host.token('discreet') }
  expect((await signUp(jwt, trusting, body)).status).toBe(201)
  const other = await issuer.token({ sub: 'user 2' })
  expect(await signUp(other, trusting, { hostAccessToken: host.token('stranger') })).toMatchObject(REFUSED)
  expect(host.calls.some(({ authorization }) => authorization?.includes(jwt) || authorization?.includes(other))).toBe(
    false,
  )
  await trusting.close()
})

test('checks memberships daily, also those of browser sessions, and accepts the user again after joining again', async () => {
  const token = host.token('browsing')
  expect((await signUp(token)).status).toBe(201)
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: host.token('browsing') })
  const checks = () => host.callsTo('/user/memberships/orgs/acme')
  const before = checks()
  expect(await me(token)).toEqual([200, undefined])
  expect(checks()).toBe(before)
  service.advance(DAY + MINUTE)
  expect(await me(token)).toEqual([200, undefined])
  expect((await browser.ask('/users/me')).status).toBe(200)
  expect(checks()).toBe(before + 1)

  acme.members = acme.members.filter((login) => login !== 'browsing')
  expect(await me(token)).toEqual([200, undefined])
  service.advance(DAY + MINUTE)
  expect(await me(token)).toEqual(LOST)
  expect((await browser.ask('/users/me')).status).toBe(401)
  const page = await browser.submit('/sign-in', { token: host.token('browsing') })
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('you are still a member')])
  const like = { token, params: { articleId: crypto.randomUUID(), langCode: 'ja' } }
  expect((await service.call('likeArticle', like)).body.error.details.reason).toBe('membership_required')

  acme.members.push('browsing')
  service.advance(2 * MINUTE)
  expect(await me(token)).toEqual([200, undefined])
  expect((await browser.ask('/users/me')).status).toBe(200)
})

test('a token that cannot read the membership does not end the sessions of others', async () => {
  const [strong, weak] = [host.token('discreet'), host.token('discreet')]
  service.advance(DAY + MINUTE)
  acme.forbidsTokens = true
  expect(await me(weak)).toEqual(LOST)
  acme.forbidsTokens = false
  expect(await me(strong)).toEqual([200, undefined])
  expect(await me(weak)).toEqual([200, undefined])
})

test('while the code host is unavailable, the last check stays valid', async () => {
  const token = host.token('shown')
  expect(await me(token)).toEqual([200, undefined])
  service.advance(DAY + MINUTE)
  // The token itself was checked just before.
  await service.ctx.db
    .updateTable('sessions')
    .set({ check_after: new Date(service.ctx.now().getTime() + MINUTE) })
    .execute()
  host.fail({ path: /^\/(user|orgs)/, times: 100, act: faults.status(503) })
  expect(await me(token)).toEqual([200, undefined])
})
