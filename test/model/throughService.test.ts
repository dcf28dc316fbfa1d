import { afterAll, beforeEach, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { at, merged, startWatchingService } from '../support/merges.ts'
import { ollama } from '../support/modelServers/ollama.ts'
import { openAi } from '../support/modelServers/openai.ts'
import { unknownModel } from '../support/modelServers/openRouter.ts'
import { expectNothingCut, LARGE, refusalsIn, summaryOf } from '../support/modelServers/outcome.ts'
import { flagged, flexBusy, refuses } from '../support/modelServers/single.ts'
import { repositoryOf } from '../support/pulls.ts'

const MINUTE_MS = 60_000
const service = await startWatchingService({
  OPENAI_SERVICE_TIER: 'flex',
  // Articles are written one after the other, so that the second uses what the client learned from the first.
  ARTICLES_AT_ONCE: '1',
})
afterAll(() => service.close())
const { model, ctx } = service
const { generate, get } = articlesOf(service)
const token = await service.signedUp('reader')
const sent = () => model.exchanges.map(summaryOf).join('\n')

let servers = 0
beforeEach(async () => {
  await ctx.db.deleteFrom('breakers').execute()
  servers += 1
  // The client remembers what it learned about a server by the model name, so each test uses a new name.
  if (ctx.config.model) ctx.config.model.names = [`model-${servers}`]
})

/** Generates an article and polls its job, because the response arrives without an article if writing takes long. */
async function generated(place: string, language = 'ja') {
  const { body } = await generate(place, token, { language }, { prefer: 'respond-async' })
  const readJob = async () =>
    (await service.call('getArticleJob', { token, params: { jobId: body.data.id } })).body.data
  await expect.poll(async () => (await readJob()).status).toMatch(/^(succeeded|failed)$/)
  const { error } = await readJob()
  const { body: read, status } = await get(place, token)
  return { error, status, article: read.data?.contents?.[language] }
}

/** The errors of failed jobs in the log. */
function logged(): string {
  const lines = service.logged.map((line) => JSON.parse(line))
  return lines.flatMap(({ msg, err }) => (msg === 'Article generation failed.' ? [err.message] : [])).join('\n')
}

test('writes an article and its translation', async () => {
  await model.keepTo(openAi())
  const place = aPull(service)
  const { article } = await generated(place)
  expect(article.generator).toMatchObject({ kind: 'model', model: `model-${servers}`, translatedFrom: null })
  const translated = await generated(place, 'en')
  expect(translated.article.generator).toMatchObject({ kind: 'model', translatedFrom: 'ja' })
  expect(translated.article.lead.text).toMatch(/^This change reworks/)
  expect(refusalsIn(model.exchanges)).toEqual([])
})

test('a context window that is too small fails the job, and nothing is stored', async () => {
  await model.keepTo(ollama())
  const place = aPull(service, { files: LARGE.files })
  const { error, status } = await generated(place)
  expect(error, sent()).toMatchObject({
    code: 'GENERATION_FAILED',
    message: expect.stringContaining('MODEL_TOKENS_PER_CALL'),
    reason: 'model_window_too_small',
  })
  expect(status).toBe(404)
  expect(logged()).toMatch(/holds 40\d\d tokens/)
  // The window is known by now, so that the next job fails at once.
  const again = await generate(place, token, { language: 'ja' }, { prefer: 'wait=60' })
  expect([again.status, again.body]).toMatchObject([
    422,
    { success: false, error: { code: 'GENERATION_FAILED', details: { reason: 'model_window_too_small' } } },
  ])
})

test('the job fails with MODEL_UNAVAILABLE if the server does not know the model', async () => {
  await model.keepTo([unknownModel()])
  const { error } = await generated(aPull(service))
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  expect(logged()).toContain('OPENAI_MODEL')
})

test('the fallback model writes an article that the first model refuses', async () => {
  const { refuse } = flagged('content_filter')
  await model.keepTo([
    { refuse: (request, counts) => (request.model === 'fallback-model' ? undefined : refuse?.(request, counts)) },
  ])
  if (ctx.config.model) ctx.config.model.names.push('fallback-model')
  const { article } = await generated(aPull(service))
  expect(article.generator).toMatchObject({ kind: 'model', model: 'fallback-model' })
  expectNothingCut({ article, failure: undefined, exchanges: model.exchanges })
})

test.each([
  ['is refused by name', refuses('service_tier', 'openAiNamed'), ['flex', undefined, undefined]],
  ['is busy', flexBusy(), ['flex', undefined, 'flex', undefined]],
])('automatic articles are written without the service tier if it %s', async (_, rule, tiers) => {
  const name = `acme/merged-${servers}`
  const repository = repositoryOf(service, name, { pulls: [] })
  await model.keepTo([rule, ...openAi()])
  await service.favorite(token, name)
  await service.poll()
  const minute = Math.ceil((ctx.now().getTime() - Date.parse(at(0))) / MINUTE_MS)
  repository.pulls?.push(merged(1, minute + 1), merged(2, minute + 2))
  await service.pollDue()
  await service.settle()
  expect(await service.statuses(name), sent()).toEqual({ 1: 'written', 2: 'written' })
  expect(model.exchanges.map(({ request }) => request.service_tier)).toEqual(tiers)
})
