import { afterAll, expect, test } from 'vitest'
import { adminOf } from '../support/admin.ts'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { post, toolCall } from '../support/mcp.ts'

const service = await startWritingService({}, { hasPages: true })
const { host, model } = service
afterAll(() => service.close())
const { run, runProcess, done, listed, acts } = adminOf(service)
const { generate, generated } = articlesOf(service)

const me = async (token: string) => {
  const { status, body } = await service.call('getCurrentUser', { token })
  return [status, body.error?.details?.reason]
}
const BLOCKED = [401, 'account_blocked']

/** The page after signing in with a pasted token. */
async function signIn(token: string) {
  const browser = openBrowser(service.url)
  const page = await browser.submit('/sign-in', { token })
  return { browser, status: page.status, text: await page.text() }
}

test('a blocked user can do nothing with any session or token, and everything again once unblocked', async () => {
  const token = await service.signedUp('nuisance')
  const second = host.token('nuisance')
  expect(await me(second)).toEqual([200, undefined])
  const article = await generated(aPull(service), token)
  const like = () =>
    service.call('likeArticle', { token, params: { articleId: article.id, langCode: 'ja' } }).then(({ body }) => body)
  expect((await like()).success).toBe(true)
  const { browser } = await signIn(host.token('nuisance'))
  await browser.submit('/read/feed', {})
  const [, feed = ''] = /(\/feeds\/favorites\/[\w-]+)/.exec(await (await browser.visit('/read/me')).text()) ?? []
  expect((await browser.ask(feed)).status).toBe(200)
  model.next(() => {})
  const waiting = generate(aPull(service), token, undefined, { prefer: 'wait=60' })
  await expect.poll(async () => (await listed('jobs', '--limit', '1'))[0].status).toBe('running')

  const text = await done('block', 'NUISANCE', '--note', 'spam')
  expect(text).toMatch(/^Done: block: user \S+\ncanceled jobs: 1\n$/)
  expect((await waiting).status).toBe(401)
  for (const known of [token, second, host.token('nuisance')]) expect(await me(known)).toEqual(BLOCKED)
  expect((await like()).error.details.reason).toBe('account_blocked')
  const { body } = await service.call('signUp', { token: host.token('nuisance') })
  expect(body.error.details.reason).toBe('account_blocked')
  const call = toolCall('search_articles', { query: 'x' })
  expect((await post(service, call, { authorization: `Bearer ${token}` })).status).toBe(401)
  expect((await browser.ask('/users/me')).status).toBe(401)
  expect(await (await browser.visit('/read')).text()).not.toContain('nuisance')
  expect((await browser.ask(feed)).status).toBe(404)
  const again = await signIn(host.token('nuisance'))
  expect(again.status).toBe(403)
  expect(again.text).toContain('The operator of this service has blocked this account.')
  expect((await service.call('getArticleById', { params: { articleId: article.id } })).body.data.totalLikeCount).toBe(1)
  const states = await listed('users')
  expect(states.map(({ login, blocked }: Record<string, unknown>) => [login, blocked])).toEqual([['nuisance', true]])
  expect((await run(['block', 'nuisance'])).stderr).toBe('This user is blocked already.\n')
  const recorded = (await acts()).at(-1)
  expect(recorded).toMatchObject({ act: 'block', note: 'spam', subject: expect.not.stringContaining('nuisance') })

  await done('unblock', String(host.idOf('nuisance')))
  expect(await me(token)).toEqual([200, undefined])
  expect(await me(second)).toEqual([200, undefined])
  expect((await browser.ask('/users/me')).status).toBe(200)
  expect((await browser.ask(feed)).status).toBe(200)
  expect((await run(['unblock', 'nuisance'])).stderr).toBe('This user is not blocked.\n')
  expect((await run(['block', 'nobody'])).stderr).toBe('There is no such user.\n')
})

test('a token that was logged out is accepted again once an operator forgets that, by its user or by itself', async () => {
  const token = await service.signedUp('returning')
  const { browser } = await signIn(host.token('returning'))
  const out = () => service.call('logOut', { token })
  await out()
  await done('end-sessions', 'returning')
  expect(await me(token)).toEqual([401, undefined])
  expect(await done('forget-token', 'returning')).toMatch(/^Done: forget tokens: user \S+\ntokens: 2\n$/)
  expect(await me(token)).toEqual([200, undefined])
  expect((await browser.ask('/users/me')).status).toBe(401)
  expect(await run(['forget-token', 'returning'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No token/),
  })

  // Like a token whose session was swept long ago: only its hash is left.
  await out()
  await service.ctx.db.deleteFrom('sessions').execute()
  expect(await run(['forget-token', 'returning'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No token/),
  })
  expect(await runProcess(['forget-token'], {}, `${token}\n`)).toMatchObject({ code: 0, stderr: '' })
  expect(await me(token)).toEqual([200, undefined])
  expect(await runProcess(['forget-token'], {}, token)).toMatchObject({
    code: 1,
    stderr: 'This token was not logged out.\n',
  })
  expect((await runProcess(['forget-token'], {}, '')).stderr).toContain('standard input')
  expect((await run(['forget-token', 'returning', token])).code).toBe(2)
})
