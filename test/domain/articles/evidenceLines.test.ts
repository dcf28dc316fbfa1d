import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'

const service = await startWritingService({ SEND_PRIVATE_CODE_TO_MODEL: 'on' })
afterAll(() => service.close())
const { generated, get } = articlesOf(service)
const token = await service.signedUp('reader')

interface Cited {
  lines?: object[] | null
  linesOmitted?: number
}

const files = [{ filename: 'a.ts', patch: '@@ -8,2 +8,2 @@\n const prices = read()\n-let sum = 0\n+let total = 0' }]
const LINES = [{ change: 'added', oldNumber: null, newNumber: 9, text: 'let total = 0' }]

/** Writes an article that cites the added line, and returns the name of the pull request. */
async function written(repository = {}, writer = token): Promise<string> {
  const place = aPull(service, { files }, repository)
  await generated(place, writer)
  return place
}

async function linesOf(place: string, caller?: string): Promise<Cited[]> {
  const { status, body } = await get(place, caller, { evidenceLines: 'true' })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.contents.ja.mainChanges[0].evidence
}

test('returns the cited lines to every caller, but only on request', async () => {
  const place = await written()
  const { contents, id } = (await get(place)).body.data
  expect(contents.ja.mainChanges[0].evidence[0]).not.toHaveProperty('lines')
  for (const caller of [undefined, token]) {
    const evidence = await linesOf(place, caller)
    expect(evidence).toMatchObject([{ lines: LINES, linesOmitted: 0 }])
    const byId = await service.call('getArticleById', {
      ...{ token: caller, params: { articleId: id }, query: { evidenceLines: 'true', language: 'ja' } },
    })
    expect(byId.body.data.contents.ja.mainChanges[0].evidence).toEqual(evidence)
    expect(evidence.map(({ lines, linesOmitted, ...citation }) => citation)).toEqual(
      contents.ja.mainChanges[0].evidence,
    )
  }
  await service.ctx.db.updateTable('article_texts').set({ excerpts: null }).where('article_id', '=', id).execute()
  expect(await linesOf(place)).toMatchObject([{ lines: null, linesOmitted: 0 }])
})

test('returns the lines of a private article to members only', async () => {
  const member = await service.signedUp('member')
  const place = await written({ private: true, members: ['member'] }, member)
  expect(await linesOf(place, member)).toMatchObject([{ lines: LINES }])
  for (const caller of [undefined, token]) {
    const { status, body } = await get(place, caller, { evidenceLines: 'true' })
    expect([status, JSON.stringify(body).includes('let total')]).toEqual([404, false])
  }
})
