import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, expect, test } from 'vitest'
import { adminOf } from '../support/admin.ts'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves, holding } from '../support/fakeModel.ts'
import { likesOf } from '../support/likes.ts'

const service = await startWritingService({ SEND_PRIVATE_CODE_TO_MODEL: 'on' })
const { model } = service
afterAll(() => service.close())
afterEach(async () => {
  model.always(undefined)
  await db.deleteFrom('breakers').execute()
})
const { db } = service.ctx
const { run, done, listed, acts } = adminOf(service, model.env)
const { generate, generated, get } = articlesOf(service)
const { liked, ranking } = likesOf(service)
const token = await service.signedUp('asking')
const jobOf = async (jobId: string) =>
  (await service.call('getArticleJob', { token, params: { jobId } })).body.data ?? {}
const now = { prefer: 'respond-async' }

const ghost = behaves.changed((good) => ({
  ...good,
  mainChanges: good.mainChanges.map((change) => ({ ...change, fileName: 'src/ghost.ts' })),
}))

/** A pull request whose article failed, and the id of the job. */
async function failed(repository = {}) {
  const place = aPull(service, {}, repository)
  model.always(ghost)
  const { body } = await generate(place, token)
  expect(body.error.code).toBe('GENERATION_FAILED')
  model.always(undefined)
  return { place, id: body.error.details.jobId as string }
}

test('lists jobs with the cause of failures, and starts a failed job again', async () => {
  const { place, id } = await failed()
  await generated(aPull(service), token)
  expect((await listed('jobs')).map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'failed'])
  const rows = await listed('jobs', '--failed')
  expect(rows).toMatchObject([{ id, status: 'failed', number: 1, language: 'ja', login: 'asking' }])
  const [head, line, ...cause] = (await done('jobs', '--failed')).trimEnd().split('\n')
  expect(head).toMatch(/^ID +STATUS +ARTICLE +LANGUAGE +USER +AGE$/)
  expect(line).toMatch(new RegExp(`^${id}  failed  ${place}  ja +asking  \\d+ s$`))
  expect(cause.join(' ')).toMatch(
    /^ +GENERATION_FAILED: The generated article failed.*`src\/ghost.ts` is not a changed/,
  )

  expect(await done('retry', id, '--note', 'model replaced')).toBe(`Done: retry job: ${place} (${id})\n`)
  await expect.poll(async () => (await jobOf(id)).status, { timeout: 20_000 }).toBe('succeeded')
  expect((await get(place)).status).toBe(200)
  expect((await run(['retry', id])).stderr).toBe('This job has not failed.\n')
  expect((await acts()).at(-1)).toMatchObject({ act: 'retry job', note: 'model replaced' })
})

test('does not start jobs about private repositories or texts that another job writes', async () => {
  const { id } = await failed({ private: true, members: ['asking'] })
  expect((await run(['retry', id])).stderr).toContain('The repository is private')
  const { place, id: first } = await failed()
  const { held, release } = holding()
  model.next(held)
  const second = (await generate(place, token, undefined, now)).body.data.id
  expect((await run(['retry', first])).stderr).toBe('Another job writes this text already.\n')
  expect((await run(['retry', second])).stderr).toBe('This job has not failed.\n')
  release()
  await expect.poll(async () => (await jobOf(second)).status).toBe('succeeded')
})

test('cancels a job: its caller is told, and the call to the model ends', async () => {
  const called = Promise.withResolvers<ServerResponse>()
  model.next((_, response) => called.resolve(response))
  const place = aPull(service)
  const waiting = generate(place, token, undefined, { prefer: 'wait=60' })
  const response = await called.promise
  const [{ id }] = await listed('jobs', '--limit', '1')
  expect(await done('cancel', id)).toBe(`Done: cancel job: ${place} (${id})\n`)
  const { status, body } = await waiting
  expect([status, body.error]).toMatchObject([
    422,
    { code: 'GENERATION_FAILED', details: { reason: 'canceled_by_operator', jobId: id } },
  ])
  // The worker notices with the next heartbeat of the job.
  await expect.poll(() => response.destroyed, { timeout: 20_000 }).toBe(true)
  expect((await run(['cancel', id])).stderr).toBe('This job has ended already.\n')
  expect((await jobOf(id)).status).toBe('failed')
  expect((await get(place)).status).toBe(404)
})

test('deletes an article with its likes, and may have it written again', async () => {
  const place = aPull(service)
  const { id } = await generated(place, token)
  const other = await generated(aPull(service), token)
  for (const articleId of [id, other.id]) await liked(token, { articleId, langCode: 'ja' })
  const ranked = async () => {
    const { data, pagination } = await ranking({ limit: 100 })
    expect(pagination.totalItems).toBe(data.length)
    return data.map(({ articleId }: { articleId: string }) => articleId)
  }
  await expect.poll(ranked).toContain(id)
  expect(await done('delete', 'article', place)).toBe(`Done: delete article: ${place} (${id})\n`)
  expect((await get(place)).status).toBe(404)
  expect(await ranked()).toEqual([other.id])
  const { body } = await service.call('listLikedArticles', { token })
  expect(body.data.pagination.totalItems).toBe(1)
  expect((await run(['delete', 'article', id])).stderr).toBe('There is no such article.\n')
  expect((await generated(place, token)).id).not.toBe(id)
})

test('has an article written again', async () => {
  const place = aPull(service)
  const { id } = await generated(place, token, { language: 'en' })
  await generated(place, token, { language: 'ja' })
  const before = (await get(place)).body.data.contents
  const text = await done('regenerate', place)
  expect(text).toContain(`Done: regenerate article: ${place} (${id}) in en\njob: `)
  expect(text).toContain('Translated from it, and not written again: ja.')
  const [, job = ''] = /job: (\S+)/.exec(text) ?? []
  await expect.poll(async () => (await jobOf(job)).status, { timeout: 20_000 }).toBe('succeeded')
  const after = (await get(place)).body.data.contents
  expect(after.en.summaryGeneratedAt > before.en.summaryGeneratedAt).toBe(true)
  expect(after.ja).toEqual(before.ja)
  expect((await run(['regenerate', id, '--language', 'fr'])).stderr).toContain('There is no text in this language')
})
