import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { type Service, startService } from '../../support/service.ts'

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

/** The facts under the title. */
const factsIn = (page: string) => {
  const [, list = ''] = /<ul class="facts"[^>]*>(.*?)<\/ul>/s.exec(page) ?? []
  return [...list.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, fact]) => fact)
}
const aboutIn = (page: string) => /<details class="about"[^>]*>(.*?)<\/details>/s.exec(page)?.[1]

test('credits Pullpress and its model for the article, and the author for the pull request', async () => {
  const { page, feed, place } = await written(withModel)
  const [english, japanese] = [await page('en'), await page('ja')]
  expect(factsIn(english)).toEqual(expect.arrayContaining(['AI-generated', 'PR by hanako']))
  expect(factsIn(japanese)).toEqual(expect.arrayContaining(['AI生成', 'PR: hanako']))
  expect(aboutIn(english)).toContain('Written by AI (fake-model).')
  expect(aboutIn(japanese)).toContain('AI（fake-model）が作成した記事です。')
  const text = await feed()
  expect([...text.matchAll(/<author>\s*<name>(.*?)<\/name>\s*<\/author>/g)].map(([, name]) => name)).toEqual([
    'Pullpress',
  ])
  expect(text).toContain(`<![CDATA[${place.replace('#', ' #')} by hanako: `)
})

test('says that no model wrote an outline', async () => {
  const { page } = await written(withoutModel)
  const [english, japanese] = [await page('en'), await page('ja')]
  expect(factsIn(english)).toEqual(expect.arrayContaining(['Outline, no AI', 'PR by hanako']))
  expect(factsIn(japanese)).toEqual(expect.arrayContaining(['概要（AIなし）', 'PR: hanako']))
  expect(aboutIn(english)).toContain('Outline made from the diff without AI.')
})
