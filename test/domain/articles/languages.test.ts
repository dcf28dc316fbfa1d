import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { behaves } from '../../support/fakeModel.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { model } = service
const { generate, generated } = articlesOf(service)
const token = await service.signedUp('reader')

test('translates into a third language from the original, not from a translation', async () => {
  const place = aPull(service)
  for (const language of ['ja', 'fr']) await generated(place, token, { language })
  const requests = await model.during(async () => {
    const { contents } = await generated(place, token, { language: 'en' })
    expect(contents.en.generator).toMatchObject({ kind: 'model', translatedFrom: 'ja', calls: 1 })
    expect(contents.fr.generator).toMatchObject({ kind: 'model', translatedFrom: 'ja', calls: 1 })
    expect(contents.ja.generator.translatedFrom).toBeNull()
    expect(contents.fr.coverage).toEqual(contents.ja.coverage)
  })
  expect(requests.length).toBe(1)
})

test('writes from the new diff instead of translating if the head commit has changed', async () => {
  const repository = { pulls: [] as object[] }
  const place = aPull(service, {}, repository)
  await generated(place, token)
  const { pulls = [] } = service.host.repositories.find(({ name }) => place.includes(name)) ?? {}
  Object.assign(pulls[0] ?? {}, { head: 'e'.repeat(40), updatedAt: '2026-03-03T00:00:00Z' })
  service.advance(61_000)
  const { contents } = await generated(place, token, { language: 'en' })
  expect(contents.en.generator.translatedFrom).toBeNull()
  expect([contents.ja.stale, contents.en.stale]).toEqual([true, false])
})

test('fails after two translations in the wrong language', async () => {
  const place = aPull(service)
  await generated(place, token)
  const japanese = 'この変更は処理の流れを見直したものであり、利用者が驚かないようにした。'
  const untranslated = behaves.changed((good) => {
    return Object.fromEntries(Object.keys(good).map((key) => [key, japanese])) as typeof good
  })
  model.next(untranslated, untranslated)
  const { status, body } = await generate(place, token, { language: 'fr' })
  expect([status, body.error.code]).toEqual([422, 'GENERATION_FAILED'])
})

test('writes in the first of the allowed languages instead of in another one', async () => {
  const { articles } = service.ctx.config
  articles.languages = ['en', 'fr']
  const place = aPull(service)
  const languages: string[][] = []
  for (const language of ['ja', 'fr', undefined])
    languages.push(Object.keys((await generated(place, token, language ? { language } : {})).contents))
  articles.languages = undefined
  expect(languages).toEqual([['en'], ['en', 'fr'], ['en', 'fr']])
})
