import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { type Service, startService } from '../support/service.ts'

const withModel = await startWritingService()
const withoutModel = await startService()
afterAll(() => Promise.all([withModel.close(), withoutModel.close()]))

/** A Japanese article about a pull request by hanako. */
async function written(service: Service) {
  const place = aPull(service, { author: 'hanako' })
  const { id } = await articlesOf(service).generated(place, await service.signedUp('reader'), { language: 'ja' })
  const page = async (language: string) =>
    (await openBrowser(service.url, language).visit(`/read/articles/${id}?language=ja`)).text()
  const feed = async () => (await fetch(`${service.url}/feeds/repos/${place.split('#')[0]}`)).text()
  return { place, page, feed }
}

const bylineIn = (page: string) => /<p class="byline"[^>]*>(.*?)<\/p>/.exec(page)?.[1]

test('credits Pullpress and its model for the article, and the author for the pull request', async () => {
  const { page, feed, place } = await written(withModel)
  expect(bylineIn(await page('en'))).toBe('Written by Pullpress with AI (fake-model), about a pull request by hanako')
  expect(bylineIn(await page('ja'))).toBe(
    'Pullpress が AI（fake-model）で作成した、hanako さんのプルリクエストの解説記事',
  )
  const text = await feed()
  expect([...text.matchAll(/<author>\s*<name>(.*?)<\/name>\s*<\/author>/g)].map(([, name]) => name)).toEqual([
    'Pullpress',
  ])
  expect(text).toContain(`<![CDATA[${place.replace('#', ' #')} by hanako: `)
})

test('says that no model wrote an outline', async () => {
  const { page } = await written(withoutModel)
  expect(bylineIn(await page('en'))).toBe('Outline by Pullpress, made without AI, of a pull request by hanako')
  expect(bylineIn(await page('ja'))).toBe('Pullpress が AI を使わずに作成した、hanako さんのプルリクエストの概要')
})
