import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { openBrowser } from '../../support/browser.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const { host } = service
const { db } = service.ctx
afterAll(() => service.close())
afterEach(() => host.heal())

const MINUTES = 60_000
const DAYS = 24 * 60 * MINUTES
const later = (milliseconds: number) => new Date(Date.now() + milliseconds)

interface Caller {
  login: string
  token: string
  headers: Record<string, string>
}

let logins = 0
const bearer = (token = '') => ({ authorization: `Bearer ${token}` })
const cookie = (value = '') => ({ cookie: `pullpress_session=${value}` })

async function withToken(): Promise<Caller> {
  const login = `user-${logins++}`
  const token = await service.signedUp(login)
  return { login, token, headers: bearer(token) }
}

async function withCookie(): Promise<Caller> {
  const login = `user-${logins++}`
  const token = host.token(login)
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token })
  return { login, token, headers: cookie(browser.cookies.get('pullpress_session')) }
}

async function withApiToken(): Promise<Caller> {
  const caller = await withToken()
  return { ...caller, headers: bearer((await service.apiToken(caller.token)).token) }
}

async function unknown(): Promise<Caller> {
  const token = `unknown-${logins++}`
  return { login: token, token, headers: bearer(token) }
}

type Times = Partial<Record<'expires_at' | 'check_after' | 'recheck_after' | 'paused_until', Date>>
type Change = (caller: Caller) => unknown

const subjectOf = ({ login }: Caller) => String(host.idOf(login))
const set = (times: Times): Change => {
  return (caller) => db.updateTable('sessions').set(times).where('subject', '=', subjectOf(caller)).execute()
}
const sendAs = (headersOf: (caller: Caller) => Record<string, string>): Change => {
  return (caller) => Object.assign(caller, { headers: headersOf(caller) })
}
const revoke: Change = ({ token }) => host.revoke(token)
const deleteAccount: Change = ({ token }) => service.call('deleteCurrentUser', { token })
const deleteSession: Change = (caller) => db.deleteFrom('sessions').where('subject', '=', subjectOf(caller)).execute()
const breakHost: Change = () => host.fail({ path: /^\/user$/, times: 9, act: faults.status(503) })
const logOut: Change = ({ headers }) =>
  service.send('POST', '/auth/logout', { headers: { ...headers, origin: service.url } })
const changeIssuer: Change = async (caller) => {
  for (const table of ['sessions', 'users'] as const)
    await db.updateTable(table).set({ issuer: 'other' }).where('subject', '=', subjectOf(caller)).execute()
}

const isDue = set({ check_after: later(-MINUTES) })
const isCookieDue = set({ recheck_after: later(-MINUTES) })
const isExpired = set({ expires_at: later(-1) })

const ACCEPTED = [200, undefined, undefined]
const INVALID = [401, 'UNAUTHENTICATED', 'The bearer token is not valid.']
const EXPIRED = [401, 'UNAUTHENTICATED', 'This token has expired.']
const LOGGED_OUT = [401, 'UNAUTHENTICATED', 'This token was logged out.']
const REVOKED = [401, 'UNAUTHENTICATED', 'This token was revoked.']
const NO_TOKEN = [401, 'UNAUTHENTICATED', expect.stringContaining('There is no such API token.')]
const SIGNED_OUT = [401, 'UNAUTHENTICATED', 'This session has ended. Sign in again.']
const NO_ACCOUNT = [404, 'USER_NOT_FOUND', 'This identity has no account. Sign up first.']

/** Each row: name, credential, changes before the request, response, number of host calls to verify the credential. */
const rows: [string, () => Promise<Caller>, Change[], unknown[], number][] = [
  ['a known token', withToken, [], ACCEPTED, 0],
  ['an unknown token', unknown, [], INVALID, 1],
  ['a valid token without a session', withToken, [deleteSession], ACCEPTED, 1],
  ['a token of a deleted account', withToken, [deleteAccount], NO_ACCOUNT, 1],
  ['a logged-out token', withToken, [logOut], LOGGED_OUT, 0],
  ['a logged-out token without a session', withToken, [logOut, deleteSession], LOGGED_OUT, 0],
  ['a token of another issuer', withToken, [changeIssuer], INVALID, 0],
  ['an expired token', withToken, [isExpired], EXPIRED, 0],
  ['a token that expires soon', withToken, [set({ expires_at: later(10 * MINUTES) })], ACCEPTED, 0],
  ['a revoked token before its check', withToken, [revoke], ACCEPTED, 0],
  ['a valid token when its check is due', withToken, [isDue], ACCEPTED, 1],
  ['a revoked token when its check is due', withToken, [isDue, revoke], INVALID, 1],
  ['a token when its check fails', withToken, [isDue, breakHost], ACCEPTED, 2],
  ['a token whose check is far ahead', withToken, [set({ check_after: later(DAYS) }), revoke], INVALID, 1],
  ['a rate-limited token', withToken, [isDue, set({ paused_until: later(10 * MINUTES) }), revoke], ACCEPTED, 0],
  ['a formerly rate-limited token', withToken, [isDue, set({ paused_until: later(-1) }), revoke], INVALID, 1],
  ['a token rate-limited for too long', withToken, [isDue, set({ paused_until: later(9 * DAYS) }), revoke], INVALID, 1],
  ['an API token', withApiToken, [], ACCEPTED, 0],
  ['an expired API token', withApiToken, [isExpired], EXPIRED, 0],
  ['a logged-out API token', withApiToken, [logOut], REVOKED, 0],
  ['a logged-out API token without a session', withApiToken, [logOut, deleteSession], REVOKED, 0],
  ['an unknown API token', withApiToken, [sendAs(() => bearer(`pp_${'0'.repeat(64)}`))], NO_TOKEN, 0],
  ['an API token of a deleted account', withApiToken, [deleteAccount], NO_TOKEN, 0],
  ['an API token of another issuer', withApiToken, [changeIssuer], INVALID, 0],
  ['a cookie', withCookie, [], ACCEPTED, 0],
  ['a signed-out cookie', withCookie, [logOut], SIGNED_OUT, 0],
  ['a cookie without a session', withCookie, [deleteSession], SIGNED_OUT, 0],
  ['an expired cookie', withCookie, [isExpired], EXPIRED, 0],
  ['a cookie when its check is due', withCookie, [isCookieDue], ACCEPTED, 1],
  ['a cookie of a revoked token', withCookie, [isCookieDue, revoke], INVALID, 1],
  ['a cookie as a token', withCookie, [sendAs(({ headers }) => bearer(headers['cookie']?.split('=')[1]))], INVALID, 1],
  ['a token as a cookie', withToken, [sendAs(({ token }) => cookie(token))], SIGNED_OUT, 0],
]

const ways = [
  ['before the handler', '/users/me'],
  ['in the statement', '/users/me/liked-articles'],
] as const

test.each(rows.flatMap(([name, ...row]) => ways.map(([way, path]) => [name, way, path, ...row] as const)))(
  '%s gets the expected response if the request is authenticated %s',
  async (_name, _way, path, open, changes, expected, checks) => {
    const caller = await open()
    for (const change of changes) await change(caller)
    const before = host.callsTo('/user')
    const { status, body } = await service.send('GET', path, { headers: caller.headers })
    expect([status, body.error?.code, body.error && body.message]).toEqual(expected)
    expect(host.callsTo('/user') - before).toBe(checks)
  },
)
