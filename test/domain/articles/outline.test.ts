import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../../support/articles.ts'
import { startService } from '../../support/service.ts'

/** A service without a model, which writes outlines. */
const service = await startService()
afterAll(() => service.close())
const { generate, generated } = articlesOf(service)
const token = await service.signedUp('reader')

test('rewrites an outline of an earlier prompt version when it is requested again', async () => {
  const place = aPull(service)
  const { id, contents } = await generated(place, token)
  const rewritten = async () => (await generated(place, token)).contents.ja.summaryGeneratedAt
  expect(await rewritten()).toBe(contents.ja.summaryGeneratedAt)
  await service.ctx.db.updateTable('article_texts').set({ prompt_version: '1' }).where('article_id', '=', id).execute()
  expect(await rewritten()).not.toBe(contents.ja.summaryGeneratedAt)
})

test('writes the outline in English if the requested language is neither Japanese nor English', async () => {
  const { contents } = await generated(aPull(service), token, { language: 'fr' })
  expect(Object.keys(contents)).toEqual(['en'])
  expect(contents.en.generator).toMatchObject({
    ...{ kind: 'outline', model: null, calls: 0, inputTokens: 0, outputTokens: 0 },
  })
})

test('fails for a pull request without changed files', async () => {
  const { status, body } = await generate(aPull(service, { files: [] }), token)
  expect([status, body.error.code]).toEqual([422, 'GENERATION_FAILED'])
})
