import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { promptOf } from '../../support/fakeModel.ts'
import { planted, plantedSecrets } from '../../support/plantedSecrets.ts'

const service = await startWritingService({ MODEL_TOKENS_PER_CALL: '60000' })
afterAll(() => service.close())
service.model.addFigures()

test('no secret of a pull request appears in prompts, responses, the stored article or the log', async () => {
  const token = await service.signedUp('reader')
  const lines = planted().flatMap(({ line }) => line.split('\n'))
  const patch = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`
  const files = [{ filename: 'src/keys.ts', status: 'added', additions: lines.length, deletions: 0, patch }]
  const place = aPull(service, { files, body: lines.join('\n') })
  const { id } = await articlesOf(service).generated(place, token)
  const { body } = await service.call('getArticleById', { params: { articleId: id }, query: { evidenceLines: 'true' } })
  const stored = await service.ctx.db.selectFrom('article_texts').where('article_id', '=', id).selectAll().execute()
  expect(body.data.contents.ja.coverage.secretsMasked).toBeGreaterThanOrEqual(60)
  expect(stored).toHaveLength(1)
  const places: Record<string, string> = {
    'to the model': service.model.requests.map(promptOf).join('\n'),
    'to readers': JSON.stringify(body),
    'in the stored article': JSON.stringify(stored),
    'in the log': service.logged.join('\n'),
  }
  for (const [place, shown] of Object.entries(places))
    for (const { kind, text } of plantedSecrets)
      for (const part of text.split('\n').filter((line) => line.length > 7))
        expect(shown.includes(part), `shown ${place}: ${kind}`).toBe(false)
})
