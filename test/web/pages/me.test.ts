import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { articlesOf } from '../../support/articles.ts'
import { keptByBrowsers, openBrowser } from '../../support/browser.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)

async function signedIn(login: string, { url, signedUp } = service, language = 'en') {
  const browser = openBrowser(url, language)
  const token = await signedUp(login)
  await browser.submit('/sign-in', { token })
  return { browser, token }
}
const mine = async (browser: ReturnType<typeof openBrowser>, query = '') =>
  (await browser.visit(`/read/me${query}`)).text()
/** The section of a page whose heading has this id. */
const section = (page: string, id: string) =>
  new RegExp(`<section aria-labelledby="${id}">[\\s\\S]*?</section>`).exec(page)?.[0] ?? ''

test('adds a repository found on the code host, and shows new articles and articles that the user requested', async () => {
  const pulls = [{ number: 1, title: 'Pour faster', files: [changed('a.ts')] }]
  repositoryOf(service, 'acme/teapot', { description: 'Short & stout <b>', pulls })
  const { browser, token } = await signedIn('reader')
  const found = await (await browser.visit('/read/me?q=teapot')).text()
  expect(found).toContain('Short &amp; stout &lt;b&gt;')
  expect(found).toContain('aria-label="Add acme/teapot to your favorites"')
  const added = await (await browser.submit('/read/favorites', { repository: 'acme/teapot' })).text()
  expect(added).toContain('Remove acme/teapot')
  expect(added).toContain('You have not asked for any articles recently.')
  service.advance(1)
  const { id } = await generated('acme/teapot#1', token)
  const page = await mine(browser, '?q=teapot')
  expect(page).toContain('1 new')
  expect(page).not.toContain('Add acme/teapot')
  expect(page).toMatch(new RegExp(`href="/read/articles/${id}[^"]*" dir="auto">Pour faster`))
})

test('shows articles about favorites separately from their pull requests, and only to users who may read them', async () => {
  const pulls = [1, 2].map((number) => ({ number, title: `Cup ${number}`, files: [changed('a.ts')] }))
  repositoryOf(service, 'acme/cup', { pulls })
  const members = ['member', 'former']
  const secret = repositoryOf(service, 'acme/safe', { private: true, members, pulls: [{ ...pulls[0], number: 1 }] })
  const [member, former, stranger] = [await signedIn('member'), await signedIn('former'), await signedIn('stranger')]
  const open = await generated('acme/cup#1', member.token, { language: 'ja' })
  await generated('acme/cup#1', member.token, { language: 'en' })
  service.advance(1)
  const hidden = await generated('acme/safe#1', member.token, { language: 'ja' })
  for (const { browser } of [member, former, stranger]) {
    expect(section(await mine(browser), 'articles')).toContain('no articles about your favorite repositories')
    for (const repository of ['acme/cup', 'acme/safe']) await browser.submit('/read/favorites', { repository })
  }
  const listed = async ({ browser }: typeof member) =>
    [...section(await mine(browser), 'articles').matchAll(/<h3><a[^>]*articles\/([^"]+)/g)].map(([, place]) => place)
  const both = [`${hidden.id}?language=ja`, `${open.id}?language=ja`]
  expect([await listed(member), await listed(former), await listed(stranger)]).toEqual([both, both, both.slice(1)])
  secret.members = ['member']
  service.advance(6 * 60_000)
  expect([await listed(member), await listed(former)]).toEqual([both, both.slice(1)])
  const fetchedWhilePrivate = (is: boolean) =>
    sql`update pull_requests set private = ${is} where title = 'Cup 1' and not private = ${is}
      and host_repo_id <> ${secret.id}`.execute(service.ctx.db)
  await fetchedWhilePrivate(true)
  expect(await listed(member)).toEqual(both.slice(0, 1))
  await fetchedWhilePrivate(false)
  const page = await mine(member.browser)
  expect(page.indexOf('id="articles"')).toBeLessThan(page.indexOf('id="feed"'))
  expect(section(page, 'feed')).toContain('Cup 2')
  expect((await member.browser.visit('/read/me?articles=none')).status).toBe(400)
})

test('keeps the form and the typed text if a favorite cannot be added', async () => {
  const { browser } = await signedIn('typist')
  const cases = [
    ['acme/nowhere', 404, 'This repository does not exist'],
    ['no "sense"', 400, 'Enter owner/repo, or the URL of a repository on github.com.'],
    ['https://gitlab.com/acme/cup', 400, 'gitlab.com is not supported. This service reads'],
    ['git@codeberg.org:acme/cup.git', 400, 'codeberg.org is not supported.'],
  ] as const
  for (const [repository, status, warning] of cases) {
    const page = await browser.submit('/read/favorites', { repository })
    const form = section(await page.text(), 'favorites')
    expect([repository, page.status]).toEqual([repository, status])
    expect(form).toContain(`role="alert">${warning}`)
    expect(form).toContain(`value="${repository.replaceAll('"', '&quot;')}"`)
  }
})

test('a favorite links to its page, even without articles', async () => {
  repositoryOf(service, 'acme/quiet', { pulls: [] })
  const { browser } = await signedIn('visitor')
  await browser.submit('/read/favorites', { repository: 'acme/quiet' })
  expect(await mine(browser)).toContain('<a href="/read/repos/acme/quiet">acme/quiet</a>')
  const page = await browser.visit('/read/repos/acme/quiet')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('There are no articles yet.')
})

test('sets which merged pull requests of a favorite get an article', async () => {
  repositoryOf(service, 'acme/kettle', {})
  const { browser, token } = await signedIn('chooser')
  const fields = { repository: 'acme/kettle', automaticArticles: 'everything', includesBots: 'yes' }
  const added = await (await browser.submit('/read/favorites', { repository: 'acme/kettle' })).text()
  const form = section(added, 'favorites')
  expect(form).toContain('<a href="/read/repos/acme/kettle/merges" aria-label="Merges in acme/kettle">Merges</a>')
  expect(form).toContain('<summary>Automatic articles: notable changes</summary>')
  expect(form).not.toMatch(/role="status"|checked/)
  const saved = await browser.submit('/read/favorites/settings', fields)
  expect([saved.status, new URL(saved.url).pathname]).toEqual([200, '/read/me'])
  const shown = section(await saved.text(), 'favorites')
  expect(shown).toContain('<p class="meta" role="status">Saved.</p>')
  expect(shown).toContain('<summary>Automatic articles: every merge</summary>')
  expect(shown).toContain('<option value="everything" selected>')
  expect(shown).toContain('value="yes" checked>')
  const stored = async () => (await service.call('listFavorites', { token })).body.data.data[0]
  expect(await stored()).toMatchObject({ automaticArticles: 'everything', includesBots: true })

  const wrong = await browser.submit('/read/favorites/settings', { ...fields, automaticArticles: 'constructor' })
  expect(wrong.status).toBe(400)
  const kept = section(await wrong.text(), 'favorites')
  expect(kept).toContain('<details open>')
  expect(kept).toContain('role="alert">This could not be saved. Choose one of the options.')
  expect(kept).toContain('value="yes" checked>')
  await browser.submit('/read/favorites/settings', { repository: 'acme/kettle', automaticArticles: 'off' })
  expect(await stored()).toMatchObject({ automaticArticles: 'off', includesBots: false })

  await browser.submit('/read/language', { language: 'ja', to: '/read/me' })
  expect(section(await mine(browser), 'favorites')).toContain('<summary>自動記事: 作成しない</summary>')
  const other = await signedIn('no-follower')
  expect((await other.browser.submit('/read/favorites/settings', fields)).status).toBe(404)
  expect((await openBrowser(service.url).submit('/read/favorites/settings', fields)).status).toBe(401)
})

test('creates API tokens, shows each only once, lists them and revokes them', async () => {
  const { browser } = await signedIn('automator')
  const create = (fields: Record<string, string>) =>
    browser.submit('/read/me/tokens', { name: 'My <CI>', scope: 'read', days: '30', ...fields })
  const tokens = async () => section(await mine(browser), 'tokens')
  expect(await tokens()).toContain('There are no API tokens yet.')
  const created = await create({ scope: 'write', days: '365' })
  const page = await created.text()
  const [token = ''] = /pp_[0-9a-f]{64}/.exec(page) ?? []
  keptByBrowsers.push(token)
  expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(page).toMatch(new RegExp(`class="share".*<input id="new-token" readonly value="${token}".*name="copy"`, 's'))
  expect((await service.call('updateCurrentUser', { token, body: { language: 'ja' } })).status).toBe(200)
  const listed = await tokens()
  expect(listed).toContain('My &lt;CI&gt;')
  expect(listed).toMatch(/Read and change.*Expires <time/s)
  expect(listed).not.toContain('pp_')

  for (const name of ['', 'a'.repeat(101), 'a\u0007']) {
    const refused = await create({ name })
    expect(refused.status).toBe(400)
    expect(section(await refused.text(), 'tokens')).toContain('role="alert">Enter a name of at most 100 characters.')
  }
  expect((await create({ scope: 'admin' })).status).toBe(400)
  expect((await create({ days: '9999' })).status).toBe(400)
  for (let i = 0; i < 19; i++) expect((await create({})).status).toBe(200)
  const full = await create({ name: 'kept' })
  expect([full.status, section(await full.text(), 'tokens')]).toEqual([
    403,
    expect.stringMatching(/role="alert">You can have up to 20 API tokens\..*value="kept"/s),
  ])

  const id = /name="id" value="([^"]+)"/.exec(listed)?.[1] ?? ''
  await browser.submit('/read/language', { language: 'ja', to: '/read/me' })
  const revoked = await browser.submit('/read/me/tokens/revoke', { id })
  expect(section(await revoked.text(), 'tokens')).not.toContain(id)
  expect(await tokens()).toMatch(/読み取りのみ.*有効期限: <time.*失効/s)
  expect((await service.call('getCurrentUser', { token })).status).toBe(401)
  const stranger = await signedIn('no-automator')
  for (const path of ['/read/me/tokens', '/read/me/tokens/revoke'])
    expect((await browser.ask(path, { method: 'POST', headers: { origin: 'https://evil.example.com' } })).status).toBe(
      403,
    )
  expect((await stranger.browser.submit('/read/me/tokens/revoke', { id })).status).toBe(404)
  expect((await openBrowser(service.url).submit('/read/me/tokens', { name: 'x' })).status).toBe(401)
})

test('says why no articles are written automatically: turned off, no token, private', async () => {
  repositoryOf(service, 'acme/locker', { private: true, members: ['owner'] })
  const { browser } = await signedIn('owner')
  const turnedOff = 'The operator of this server has not turned on automatic articles.'
  expect(await mine(browser)).not.toContain(turnedOff)
  const added = await (await browser.submit('/read/favorites', { repository: 'acme/locker' })).text()
  expect(section(added, 'favorites')).toContain(turnedOff)
  expect(section(added, 'favorites')).toContain('Automatic articles are for public repositories only.')
  expect(section(added, 'favorites')).not.toContain('/read/favorites/settings')
  const without = await startService({ env: { AUTOMATIC_ARTICLES: 'on' } })
  repositoryOf(without, 'acme/locker')
  const there = await signedIn('owner', without)
  await there.browser.submit('/read/language', { language: 'ja', to: '/read/me' })
  const favorites = await (await there.browser.submit('/read/favorites', { repository: 'acme/locker' })).text()
  expect(section(favorites, 'favorites')).toContain('確認するためのトークンがまだ設定されていません')
  await without.close()
})

test('shows articles about favorites that no user requested, and counts them as new', async () => {
  repositoryOf(service, 'acme/press', { pulls: [{ number: 1, title: 'Press', files: [changed('a.ts')] }] })
  const { browser } = await signedIn('subscriber')
  await browser.submit('/read/favorites', { repository: 'acme/press' })
  service.advance(1)
  const { id } = await generated('acme/press#1', await service.signedUp('author'))
  await sql`update article_jobs set session_id = null where article_id = ${id}`.execute(service.ctx.db)
  const page = await mine(browser)
  expect(section(page, 'articles')).toContain(`/read/articles/${id}`)
  expect(section(page, 'favorites')).toMatch(/acme\/press<\/a>\s*<p class="meta"><span>1 new/)
  expect(section(page, 'asked')).not.toContain(id)
})

test('if the search on the code host fails, the rest of the page is shown', async () => {
  const { browser } = await signedIn('seeker')
  await browser.submit('/read/favorites', { repository: 'acme/teapot' })
  service.host.fail({ path: /^\/search/, times: 9, act: faults.status(503) })
  const page = await browser.visit('/read/me?q=teapot')
  const text = await page.text()
  expect(page.status).toBe(200)
  expect(section(text, 'favorites')).toContain('role="alert">The code host is not responding.')
  expect(section(text, 'favorites')).toContain('Remove acme/teapot')
  expect(text).toContain('value="teapot"')
  service.host.heal()
})

test('paginates the articles that the user requested', async () => {
  const { browser, token } = await signedIn('asker')
  repositoryOf(service, 'acme/mug', { pulls: [{ number: 1, title: 'Mug', files: [changed('a.ts')] }] })
  await generated('acme/mug#1', token)
  await sql`
    insert into article_jobs
    select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid()))).*
    from article_jobs job join sessions on sessions.id = job.session_id, generate_series(1, 20)
    where sessions.subject = (select subject from users where host_username = 'asker')`.execute(service.ctx.db)
  const count = (page: string) => section(page, 'asked').match(/<li>/g)?.length
  const first = await mine(browser)
  const [, next = ''] = /<a rel="next" href="\/read\/me([^"#]+)#asked">/.exec(section(first, 'asked')) ?? []
  expect([count(first), count(await mine(browser, next))]).toEqual([20, 1])
})

test('the page of a job shows its step, the time so far and how long jobs usually take', async () => {
  const { browser, token } = await signedIn('waiting')
  repositoryOf(service, 'acme/jug', { pulls: [{ number: 1, title: 'Jug `spout`', files: [changed('a.ts')] }] })
  await generated('acme/jug#1', token, { language: 'en' })
  const { db, now } = service.ctx
  const [job] = await db.selectFrom('article_jobs').selectAll().orderBy('created_at', 'desc').limit(1).execute()
  const startedAt = new Date(now().getTime() - 75_000)
  const jobs = db.updateTable('article_jobs')
  await jobs.set({ created_at: sql<Date>`updated_at - interval '40 seconds'` }).execute()
  const unfinished = { status: 'running', stage: 'writing', progress: 0.25, article_id: null } as const
  const running = { ...unfinished, created_at: startedAt }
  await jobs
    .set(running)
    .where('id', '=', job?.id ?? '')
    .execute()
  const page = await (await browser.visit(`/read/writing/${job?.id}`)).text()
  for (const part of [
    '<title>Writing: acme/jug#1 · Pullpress</title>',
    '<h1>Article about acme/jug#1</h1>',
    'Jug <code>spout</code>',
    '<label for="progress">Writing the text</label>',
    'value="0.25" data-stage="writing" data-typical="40"',
    '1:15</span>',
    'This usually takes about 40 seconds.',
    '<a href="/read/me#asked">Articles you asked for</a>',
    '<noscript><meta http-equiv="refresh"',
  ])
    expect(page).toContain(part)
  const failed = { status: 'failed', error_code: 'GENERATION_FAILED', article_id: null } as const
  await jobs.set(failed).where('status', '=', 'succeeded').execute()
  expect(await (await browser.visit(`/read/writing/${job?.id}`)).text()).toContain('usually takes a minute or two')
})

test.each([
  [
    'en',
    'This repository is public, but the code host does not allow your access',
    'Authorize access on the code host',
  ],
  ['ja', 'コードホストがあなたのアクセスを許可していません', 'コードホストでアクセスを許可する'],
])('says in %s that the code host forbids the token, with a link to authorize it', async (language, reason, link) => {
  const address = 'https://host.example.com/sso?a=1&b=2'
  const pulls = [{ number: 1, files: [changed('a.ts')] }]
  repositoryOf(service, `saml/${language}`, { forbidsTokens: true, authorizationUrl: address, pulls })
  const { browser } = await signedIn(`member-${language}`, service, language)
  const added = await browser.submit('/read/favorites', { repository: `saml/${language}` })
  const opened = await browser.submit('/read/open', { address: `saml/${language}#1` })
  for (const page of [added, opened]) {
    const text = await page.text()
    expect(page.status).toBe(403)
    expect(text).toContain(reason)
    expect(text).toContain(link)
    expect(text).toContain('href="https://host.example.com/sso?a=1&amp;b=2"')
  }
})
