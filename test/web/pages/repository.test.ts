import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { likesOf } from '../../support/likes.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { CODE_HOST_WEB_URL: 'https://github.com' } })
afterAll(() => service.close())
const { generated } = articlesOf(service)
const { liked, counted } = likesOf(service)
const token = await service.signedUp('reader')

const name = 'acme/paper'
const pulls = [1, 2, 3].map((number) => ({ number, title: `Change ${number}`, files: [changed(`src/${number}.ts`)] }))
repositoryOf(service, name, { description: 'Prints <papers>.', pulls })
const ids: string[] = []
for (const { number } of pulls) ids.unshift((await generated(`${name}#${number}`, token, { language: 'ja' })).id)
const path = `/read/repos/${name}`

async function visit(address = path, browser = openBrowser(service.url)) {
  const response = await browser.visit(address)
  return { status: response.status, text: await response.text() }
}
const listed = (text: string) => [...text.matchAll(/<h3><a[^>]*articles\/([\w-]{36})/g)].map(([, id]) => id)

test('shows the articles about a repository, the newest or the most liked first', async () => {
  await liked(token, { articleId: ids[2] ?? '', langCode: 'ja' })
  await counted()
  const { status, text } = await visit()
  expect(status).toBe(200)
  expect(listed(text)).toEqual(ids)
  for (const part of [
    '<h1>acme/paper</h1>',
    'Prints &lt;papers&gt;.',
    'href="https://github.com/acme/paper" rel="external"',
    '<a href="/feeds/repos/acme/paper">Atom feed</a>',
    'href="/feeds/repos/acme/paper">',
    `href="${path}?sort=likes"`,
  ])
    expect(text).toContain(part)
  expect(listed((await visit(`${path}?sort=likes`)).text)).toEqual([ids[2], ids[0], ids[1]])
  expect(listed((await visit('/read/repos/ACME/Paper')).text)).toEqual(ids)
})

test('paginates many articles by a cursor', async () => {
  const many = Array.from({ length: 21 }, (_, i) => ({ number: i + 1, files: [changed('a.ts')] }))
  repositoryOf(service, 'acme/busy', { pulls: many })
  for (const { number } of many) await generated(`acme/busy#${number}`, token)
  const { text } = await visit('/read/repos/acme/busy?sort=likes')
  const [, next = ''] = /<a rel="next" href="([^"]+)">/.exec(text) ?? []
  const second = (await visit(next.replaceAll('&amp;', '&'))).text
  expect(new Set([...listed(text), ...listed(second)]).size).toBe(21)

  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('busy-follower') })
  const mine = await (await browser.submit('/read/favorites', { repository: 'acme/busy' })).text()
  const [, older = ''] = /<a rel="next" href="(\/read\/me\?articles=[^"#]+)#articles">/.exec(mine) ?? []
  const rest = (await visit(older, browser)).text
  expect([listed(mine).length, listed(rest).length]).toEqual([20, 1])
  expect(new Set([...listed(mine), ...listed(rest)]).size).toBe(21)
})

test('lists, articles and feeds link to the page of the repository', async () => {
  const link = `<a href="${path}">acme/paper</a>`
  for (const address of ['/read', '/read/search?q=repo:acme/paper', `/read/articles/${ids[0]}`])
    expect((await visit(address)).text).toContain(link)
  expect((await visit(`/read/articles/${ids[0]}`)).text).toMatch(
    /<a href="[^"]*\/acme\/paper\/pull\/3" rel="external" lang="en">#3 on /,
  )
  expect((await visit('/feeds/repos/acme/paper')).text).toContain(
    `<link rel="alternate" href="${service.url}${path}"/>`,
  )
})

test('a signed-in reader adds the repository to the favorites and removes it again', async () => {
  const wish = `for=follow&amp;repository=acme%2Fpaper&amp;to=${encodeURIComponent(path)}`
  expect((await visit()).text).toContain(`href="/sign-in?${wish}">Add to favorites`)
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('follower') })
  await browser.submit('/read/language', { language: 'en', to: path })
  expect((await visit(path, browser)).text).toContain('<button class="quiet">Add to favorites</button>')
  const added = await browser.submit('/read/favorites', { repository: name, to: path })
  expect(new URL(added.url).pathname).toBe(path)
  expect(await added.text()).toContain('<button class="quiet">Remove from favorites</button>')
  const removed = await browser.submit('/read/favorites/remove', { repository: name, to: path })
  expect(await removed.text()).toContain('<button class="quiet">Add to favorites</button>')
  const elsewhere = await browser.submit('/read/favorites', { repository: name, to: 'https://evil.example/' })
  expect(new URL(elsewhere.url).origin).toBe(service.url)
})

test('marks the articles as seen for a reader who follows the repository', async () => {
  const browser = openBrowser(service.url)
  const follower = service.host.token('another-follower')
  await browser.submit('/sign-in', { token: follower })
  await browser.submit('/read/favorites', { repository: name })
  service.advance(1)
  await service.ctx.db.updateTable('article_cards').set({ created_at: service.ctx.now() }).execute()
  service.advance(1)
  const unread = async () =>
    (await service.call('listFavorites', { token: follower })).body.data.data.map(
      ({ unreadCount }: { unreadCount: number }) => unreadCount,
    )
  expect(await unread()).toEqual([3])
  await visit(path, browser)
  expect(await unread()).toEqual([0])
})

test('returns 404 for a repository without visible articles', async () => {
  const [empty = ''] = aPull(service).split('#')
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('reader') })
  for (const reader of [openBrowser(service.url), browser])
    for (const address of [empty, 'acme/none', '%00/a', 'a%20b/c', `acme/${'x'.repeat(101)}`]) {
      const { status, text } = await visit(`/read/repos/${address}`, reader)
      expect([address, status]).toEqual([address, 404])
      expect(text).toMatch(/<h1>(Not found|見つかりません)<\/h1>/)
    }
  expect((await visit(`${path}?cursor=none`)).status).toBe(400)
  expect((await visit(`${path}?sort=constructor`)).status).toBe(200)
})

test('shows a private repository to its members only, without a feed', async () => {
  const member = await service.signedUp('member')
  const place = aPull(service, {}, { private: true, members: ['member'], description: 'A secret.' })
  const { id } = await generated(place, member)
  const address = `/read/repos/${place.split('#')[0]}`
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: member })
  const shown = await visit(address, browser)
  expect(listed(shown.text)).toEqual([id])
  expect(shown.text).toContain('A secret.')
  expect(shown.text).toContain('content="noindex"')
  expect(shown.text).not.toContain('/feeds/repos')
  const other = openBrowser(service.url)
  await other.submit('/sign-in', { token: service.host.token('other') })
  for (const outsider of [openBrowser(service.url), other]) {
    const hidden = await visit(address, outsider)
    expect(hidden.status).toBe(404)
    expect(hidden.text).not.toMatch(new RegExp(`secret|${id}`))
  }
})
