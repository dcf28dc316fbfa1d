import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { checkedAt, listedMerges } from '../../support/mergeRows.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const env = { AUTOMATIC_ARTICLES: 'on', CODE_HOST_TOKEN: 'service-token', CODE_HOST_WEB_URL: 'https://github.com' }
const service = await startService({ env })
afterAll(() => service.close())
service.host.admit('service-token', 'pullpress')
const { generated } = articlesOf(service)
const token = await service.signedUp('writer')

async function signedIn(login: string, language = 'en', { url, host } = service) {
  const browser = openBrowser(url, language)
  await browser.submit('/sign-in', { token: host.token(login) })
  return browser
}
async function visit(address: string, browser = openBrowser(service.url)) {
  const response = await browser.visit(address)
  return { status: response.status, text: await response.text() }
}
const titles = (text: string) => [...text.matchAll(/<a class="title"[^>]*>([^<]*)/g)].map(([, title]) => title)
/** The list item of a pull request. */
const item = (text: string, number: number) =>
  text.split('<li><div>').find((part) => part.includes(` rel="external">#${number}</a>`)) ?? ''

const name = 'acme/press'
const path = `/read/repos/${name}/merges`
const pulls = [1, 2, 3].map((number) => ({ number, title: `Change ${number}`, files: [changed(`src/${number}.ts`)] }))
const press = repositoryOf(service, name, { pulls })
const follower = await signedIn('follower')
await follower.submit('/read/favorites', { repository: name })
const { id: articleId } = await generated(`${name}#1`, token)
const scored = {
  score: 62,
  factors: [
    { name: 'feature', points: 35, count: null },
    { name: 'sourceLines', points: 25, count: 120 },
    { name: 'routine', points: -20, count: null },
  ],
}
await listedMerges(service, press.id, [
  { number: 9, is_earlier: true },
  { number: 1, status: 'written', ...scored },
  { number: 2, status: 'queued', ...scored },
  { number: 3 },
  { number: 4, status: 'waiting', score: 41, factors: [{ name: 'fix', points: 20, count: null }] },
  { number: 5, status: 'skipped', reason: 'low_score', score: 12, factors: [] },
  { number: 6, status: 'skipped', reason: 'bot', author: 'renovate[bot]', author_is_bot: true },
  {
    ...{ number: 7, status: 'failed', error_code: 'MODEL_UNAVAILABLE', error_message: 'down' },
    next_try_at: new Date('2026-02-04T05:06:00Z'),
  },
  { number: 8, title: '<script>hurt()</script> "quoted" `code` \u202eabc', url: 'javascript:hurt()' },
])

test('shows the status of each merged pull request, and why it has that status', async () => {
  const { status, text } = await visit(path)
  expect(status).toBe(200)
  expect(text).toContain('<title>Merges in acme/press · Pullpress</title>')
  const written = item(text, 1)
  for (const part of [
    `href="/read/articles/${articleId}?language=en"`,
    '<li class="state written">Article written</li>',
    '<li>ann</li>',
    '<time datetime="2026-02-03T00:01:00.000Z">Feb 3, 2026</time>',
    'Score 62: a new feature (+35), 120 changed lines of source code (+25), routine work (−20)',
  ])
    expect(written).toContain(part)
  expect(written).not.toContain('Write it')
  expect(item(text, 2)).toContain('href="/read/pulls/acme/press/2"')
  const words: [number, ...string[]][] = [
    [2, '"state queued">Queued<', 'An article will be written when its turn comes.', 'Write it now<'],
    [3, '"state queued">Queued<', 'It will be scored next.'],
    [4, '"state waiting">Waiting for budget<', 'The budget of the day is used up.', 'Write it now<'],
    [5, '"state skipped">Skipped<', 'articles are written from 40 on.', 'Score 12</p>', 'Write it anyway<'],
    [6, 'renovate[bot]</li><li class="tag">bot</li>', 'A bot opened it'],
    [7, '"state failed">Failed<', 'The AI model is not responding.', 'Next try: <time', 'Feb 4, 2026, 5:06'],
    [9, '<li class="tag">Before checks began</li>', 'It was merged before automatic checks began.'],
  ]
  for (const [number, ...parts] of words) for (const part of parts) expect(item(text, number)).toContain(part)
})

test('shows statuses and reasons in Japanese', async () => {
  const { text } = await visit(path, openBrowser(service.url, 'ja'))
  expect(text).toContain('<h1>acme/press のマージ一覧</h1>')
  expect(item(text, 1)).toContain('スコア 62：新機能 (+35)、ソースコード 120 行の変更 (+25)、定型作業 (−20)')
  expect(item(text, 5)).toContain('スコアが低いため見送りました。40 以上が記事の対象です。')
  expect(item(text, 7)).toContain(
    '次の試行: <time datetime="2026-02-04T05:06:00.000Z" data-clock>2026年2月4日 5:06 UTC',
  )
  expect(item(text, 9)).toContain('確認開始前')
})

test('hostile titles and URLs stay text', async () => {
  const { text } = await visit(path)
  expect(text).toContain('&lt;script&gt;hurt()&lt;/script&gt; &quot;quoted&quot; <code>code</code>')
  expect(text).not.toMatch(/<script>|javascript:|\u202e/)
})

test('filters by status and, for a follower, by the settings of that user', async () => {
  expect(titles((await visit(`${path}?status=skipped`)).text)).toEqual(['Change 6', 'Change 5', 'Change 9'])
  expect(titles((await visit(`${path}?status=written`)).text)).toEqual(['Change 1'])
  expect(titles((await visit(`${path}?status=constructor`)).text)).toHaveLength(9)
  const { text } = await visit(`${path}?status=skipped`)
  expect(text).toContain(`<a href="${path}?status=skipped" aria-current="page">Skipped</a>`)
  expect(text).not.toContain('Only what I asked for')
  expect(titles((await visit(`${path}?wanted=true`)).text)).toHaveLength(9)

  const link = `<a href="${path}?status=waiting&amp;wanted=true">Only what I asked for</a>`
  expect((await visit(`${path}?status=waiting`, follower)).text).toContain(link)
  expect(titles((await visit(`${path}?wanted=true`, follower)).text)).toEqual(['Change 4', 'Change 2', 'Change 1'])
  const none = (await visit(`${path}?status=failed&wanted=true`, follower)).text
  expect(none).toContain('No pull requests match.')
})

test('paginates the list by a cursor that keeps the filter', async () => {
  const busy = repositoryOf(service, 'acme/busy', {})
  await follower.submit('/read/favorites', { repository: 'acme/busy' })
  const empty = await visit('/read/repos/acme/busy/merges')
  expect(empty.text).toContain('No merged pull requests have been found yet.')
  const many = Array.from({ length: 45 }, (_, i) => ({ number: i + 1 }))
  await listedMerges(
    service,
    busy.id,
    many.map((merge) => ({ ...merge, ...(merge.number > 2 && { status: 'skipped', reason: 'gone' }) })),
  )
  const seen: (string | undefined)[] = []
  let next: string | undefined = '/read/repos/acme/busy/merges?status=skipped'
  for (let pages = 0; next && pages < 5; pages++) {
    const { text } = await visit(next)
    seen.push(...titles(text))
    next = /<a rel="next" href="([^"]+)">Earlier merges/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(seen).toEqual(many.map(({ number }) => `Change ${46 - number}`).slice(0, 43))
  expect((await visit('/read/repos/acme/busy/merges?cursor=none')).status).toBe(400)
  const beyond = Buffer.from('[1,1]').toString('base64url')
  expect((await visit(`/read/repos/acme/busy/merges?cursor=${beyond}`)).text).toContain('No more pull requests.')
})

test('writes an article on request, after signing in', async () => {
  const wish = `/sign-in?for=write&amp;address=acme%2Fpress%232&amp;to=${encodeURIComponent(path)}`
  expect((await visit(path)).text).toContain(`href="${wish}" aria-label="Write it now: #2"`)
  const { text } = await visit(path, follower)
  expect(item(text, 2)).toContain('<form method="post" action="/read/open">')
  expect(item(text, 2)).toContain('name="address" value="acme/press#2"')
  const article = await follower.submit('/read/open', { address: 'acme/press#2' })
  expect(new URL(article.url).pathname).toMatch(/^\/read\/articles\//)
  expect(item((await visit(path, follower)).text, 2)).toContain('Article written')
})

test('says when the repository was checked, or why it is not checked and what to do', async () => {
  const lacking = repositoryOf(service, 'acme/lacking', { pulls: [pulls[0] ?? { number: 1 }] })
  await generated('acme/lacking#1', token)
  const address = '/read/repos/acme/lacking/merges'
  expect((await visit(address)).text).toContain('not checked for merges automatically. Add it to your favorites')
  const added = await follower.submit('/read/favorites', { repository: 'acme/lacking', to: address })
  expect(new URL(added.url).pathname).toBe(address)
  const fresh = await added.text()
  expect(fresh).toContain('<li>Last check not yet</li>')
  expect(fresh).toContain('<li>Next check soon</li>')
  const at = new Date('2026-02-03T04:05:00Z')
  await checkedAt(service, lacking.id, at, new Date('2099-01-02T03:04:00Z'))
  const { text } = await visit(address)
  expect(text).toMatch(/<li>Last check <time[^>]*>Feb 3, 2026, 4:05.AM UTC</)
  expect(text).toMatch(/<li>Next check <time[^>]*>Jan 2, 2099, 3:04.AM UTC</)
  expect(text).toContain('Checked automatically since <time')
  await follower.submit('/read/favorites/settings', { repository: 'acme/lacking', automaticArticles: 'off' })
  expect((await visit(address, follower)).text).toContain('Turn on automatic articles in the settings')
})

test('the page of a repository and the list of its merges link to each other', async () => {
  expect((await visit(`/read/repos/${name}`)).text).toContain(`<a href="${path}">Merges</a>`)
  expect((await visit(path)).text).toContain(`<a href="/read/repos/${name}">Articles about acme/press</a>`)
  // A repository without articles has a page if it has merges.
  expect((await visit('/read/repos/acme/busy')).status).toBe(200)
})

test('hides a private repository from all but its members', async () => {
  const vault = repositoryOf(service, 'acme/vault', { private: true, members: ['member'] })
  const member = await signedIn('member')
  await member.submit('/read/favorites', { repository: 'acme/vault' })
  await listedMerges(service, vault.id, [{ number: 1, title: 'A secret' }])
  const address = '/read/repos/acme/vault/merges'
  const shown = await visit(address, member)
  expect(titles(shown.text)).toEqual(['A secret'])
  expect(shown.text).toContain('Automatic articles are for public repositories only.')
  expect(shown.text).toContain('content="noindex"')
  for (const outsider of [openBrowser(service.url), await signedIn('outsider')]) {
    const hidden = await visit(address, outsider)
    expect(hidden.status).toBe(404)
    expect(hidden.text).not.toContain('secret')
  }
  for (const odd of ['acme/none', '%00/a', 'a%20b/c'])
    expect((await visit(`/read/repos/${odd}/merges`)).status).toBe(404)
})
