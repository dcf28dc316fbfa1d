import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import type { Answer } from '../../support/client.ts'
import { answer, holding } from '../../support/fakeModel.ts'
import { paramsOf, pullsOf } from '../../support/pulls.ts'

const service = await startWritingService({ SEND_PRIVATE_CODE_TO_MODEL: 'on' })
const { host, model } = service
afterAll(() => service.close())
afterEach(() => host.heal())
const { generate } = articlesOf(service)
const { ingest } = pullsOf(service)
const vault = { private: true, members: ['member', 'second'] }
const PROMPTLY_MS = 5000

/** A private pull request, and a token that starts a new session of a member. */
async function aPrivatePull() {
  const place = aPull(service, {}, vault)
  const token = host.token('member')
  await service.call('signUp', { token })
  return { place, token, path: `/repos/${place.replace('#', '/pulls/')}` }
}

/** Delays the responses of the code host for matching paths until `release` is called. */
function holdHost(path: RegExp) {
  const { promise: requested, resolve: markRequested } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const act = async (request: IncomingMessage, response: ServerResponse) => {
    markRequested()
    await released
    host.answer(request, response)
  }
  host.fail({ path, times: 100, act })
  return { requested, release }
}

type Refusal = [status: number, code: string]
const SESSION_ENDED: Refusal = [401, 'UNAUTHENTICATED']
const ACCOUNT_DELETED: Refusal = [404, 'USER_NOT_FOUND']

/** Ends the session during the call to the model, and expects the waiting request to return `refusal` promptly. */
async function expectEnded(
  waiting: Promise<Answer>,
  before: number,
  end: () => Promise<unknown>,
  refusal = SESSION_ENDED,
): Promise<void> {
  await expect.poll(() => model.requests.length).toBe(before + 1)
  const endedAt = performance.now()
  await end()
  const { status, body } = await waiting
  expect([status, body.error?.code]).toEqual(refusal)
  expect(performance.now() - endedAt).toBeLessThan(PROMPTLY_MS)
}

const LONG = { prefer: 'wait=30' }
const logOut = (token: string) => service.call('logOut', { token })

test('a request that waits for an article gets 401 when its session logs out', async () => {
  const { place, token } = await aPrivatePull()
  const { held, release } = holding()
  model.next(held)
  const before = model.requests.length
  await expectEnded(generate(place, token, undefined, LONG), before, () => logOut(token))
  release()
})

test('a request that waits for an article ends when the user revokes its session or deletes the account in another one', async () => {
  const other = await service.signedUp('second')
  async function revokeOthers() {
    const { body } = await service.call('listSessions', { token: other })
    for (const { id, current } of body.data)
      if (!current) await service.call('revokeSession', { token: other, params: { sessionId: id } })
  }
  const ends: [() => Promise<unknown>, Refusal][] = [
    [revokeOthers, SESSION_ENDED],
    [() => service.call('deleteCurrentUser', { token: other }), ACCOUNT_DELETED],
  ]
  for (const [end, refusal] of ends) {
    const token = host.token('second')
    const { held, release } = holding()
    model.next(held)
    const before = model.requests.length
    await expectEnded(generate(aPull(service, {}, vault), token, undefined, LONG), before, end, refusal)
    release()
  }
})

test('a request that waits for an article gets 401 when its browser signs out', async () => {
  const { token, path } = await aPrivatePull()
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token })
  const cookie = `pullpress_session=${browser.cookies.get('pullpress_session')}`
  const { held, release } = holding()
  model.next(held)
  const before = model.requests.length
  const waiting = service.send('POST', `${path}/article`, { headers: { cookie, origin: service.url, ...LONG } })
  await expectEnded(waiting, before, () => browser.submit('/sign-out', {}))
  release()
})

test('if its job ends right after the logout, a waiting request gets 401 and neither the article nor the error of the job', async () => {
  for (const good of [true, false]) {
    const { place, token } = await aPrivatePull()
    const end = async (...[, response, draft]: Parameters<ReturnType<typeof holding>['held']>) => {
      await logOut(token)
      answer(response, good ? draft : 'no')
    }
    model.next(end, (_, response) => answer(response, 'no'))
    const { status } = await generate(place, token, undefined, LONG)
    expect(status).toBe(401)
    model.always(undefined)
  }
})

test.each<[string, RegExp, (place: string, token: string) => Promise<Answer>]>([
  ['ingesting', /\/pulls\/1$/, (place, token) => ingest(place, token)],
  ['generating', /\/pulls\/1$/, (place, token) => generate(place, token, undefined, { prefer: 'respond-async' })],
  ['listing', /\/pulls$/, (place, token) => service.call('listPullRequests', { token, params: paramsOf(place) })],
  ['the feed', /\/pulls$/, (_, token) => service.call('getFeed', { token })],
])('a request gets 401 if its session logs out during a call to the code host: %s', async (_, path, request) => {
  const { place, token } = await aPrivatePull()
  await ingest(place, token)
  await service.call('registerFavorite', { token, body: { owner: 'acme', repo: paramsOf(place)['repo'] } })
  const { requested, release } = holdHost(path)
  const waiting = request(place, token)
  await requested
  await logOut(token)
  release()
  expect((await waiting).status).toBe(401)
})

test('a request gets 401 if its session logs out while the request waits for a fetch of another request', async () => {
  const { place, token, path } = await aPrivatePull()
  const second = host.token('second')
  await service.call('signUp', { token: second })
  const { requested, release } = holdHost(/\/pulls\/1\/files$/)
  const first = ingest(place, token)
  await requested
  const waiting = ingest(place, second)
  const isRequested = () => host.calls.some((call) => call.path === path && call.authorization === `Bearer ${second}`)
  await expect.poll(isRequested).toBe(true)
  await logOut(second)
  release()
  expect((await first).status).toBe(200)
  expect((await waiting).status).toBe(401)
})

test('a page request gets 401 if the user signs out while the request waits for the code host', async () => {
  const { place, token } = await aPrivatePull()
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token })
  await browser.submit('/read/favorites', { repository: place.replace('#1', '') })
  const cookie = `pullpress_session=${browser.cookies.get('pullpress_session')}`
  // The list of pull requests is cached for a minute, so the page calls the code host only after that.
  service.advance(61_000)
  const { requested, release } = holdHost(/\/pulls$/)
  const page = fetch(`${service.url}/read/me`, { headers: { cookie } })
  await requested
  await browser.submit('/sign-out', {})
  release()
  const { status } = await page
  expect(status).toBe(401)
})
