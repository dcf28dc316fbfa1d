import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { expectShortTurns } from '../support/longestTurn.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { generated, get } = articlesOf(service)
const onPostgres = service.database.env['DATABASE_URL'] !== undefined

async function linesOf(place: string): Promise<object[]> {
  const { status, body } = await get(place, undefined, { evidenceLines: 'true' })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.contents.ja.mainChanges[0].evidence
}

test('returns the same cited lines from large excerpts, without blocking the event loop', async () => {
  const patch = '@@ -8,2 +8,2 @@\n const prices = read()\n-let sum = 0\n+let total = 0'
  const place = aPull(service, { files: [{ filename: 'a.ts', patch }] })
  const { id } = await generated(place, await service.signedUp('reader'))
  const expected = await linesOf(place)
  expect(expected).toMatchObject([{ lines: [{ text: 'let total = 0' }] }])
  const rows = service.ctx.db.selectFrom('article_texts').where('article_id', '=', id).select('excerpts')
  const stored = JSON.parse((await rows.executeTakeFirstOrThrow()).excerpts ?? '{}')
  const lines = Array.from({ length: 400_000 }, (_, i) => ({ sign: '+', number: i + 1, text: 'x' }))
  const excerpts = JSON.stringify({ ...stored, 'https://host.example/other': { lines, more: 0 } })
  await service.ctx.db.updateTable('article_texts').set({ excerpts }).where('article_id', '=', id).execute()
  // The first read starts a thread, so it is not measured.
  expect(await linesOf(place)).toEqual(expected)
  // Without Postgres, turns are not measured, because the embedded database itself runs on the event loop.
  if (onPostgres) await expectShortTurns(100, () => linesOf(place))
})
