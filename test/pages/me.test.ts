import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { changed, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('adds a repository found on the code host, and shows new articles and those asked for', async () => {
  const pulls = [{ number: 1, title: 'Pour faster', files: [changed('a.ts')] }]
  repositoryOf(service, 'acme/teapot', { description: 'Short & stout <b>', pulls })
  const token = await service.signedUp('reader')
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token })
  await browser.submit('/read/language', { language: 'en', to: '/read/me' })
  const found = await (await browser.visit('/read/me?q=teapot')).text()
  expect(found).toContain('Short &amp; stout &lt;b&gt;')
  expect(found).toContain('aria-label="Add acme/teapot to your favorites"')
  const added = await (await browser.submit('/read/favorites', { repository: 'acme/teapot' })).text()
  expect(added).toContain('Remove acme/teapot')
  expect(added).toContain('You have not asked for any articles recently.')
  service.advance(1)
  const { id } = await articlesOf(service).generated('acme/teapot#1', token)
  const mine = await (await browser.visit('/read/me?q=teapot')).text()
  expect(mine).toContain('1 new')
  expect(mine).not.toContain('Add acme/teapot')
  expect(mine).toMatch(new RegExp(`href="/read/articles/${id}[^"]*" dir="auto">Pour faster`))
})
