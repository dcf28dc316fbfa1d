import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Threads } from '../../src/threads/threads.ts'
import { aPull, articlesOf, makeFormer } from '../support/articles.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated, get } = articlesOf(service)

test('adds the new fields to large former texts in a thread', async () => {
  const place = aPull(service)
  const { id } = await generated(place, await service.signedUp('reader'))
  await makeFormer(service, id)
  const path = 'packages/some/long/folder/'.repeat(10)
  await sql`
    update article_texts
    set content = jsonb_set(content::jsonb, '{coverage,files}', (
      select jsonb_agg(content::jsonb #> '{coverage,files,0}' || jsonb_build_object('path', ${path}::text || i))
      from generate_series(1, 3000) i))::text
    where article_id = ${id}`.execute(service.ctx.db)
  const tasks: string[] = []
  const { threads } = service.ctx
  const run: Threads['run'] = (name, ...rest) => {
    tasks.push(name)
    return threads.run(name, ...rest)
  }
  service.ctx.threads = { ...threads, run }
  const { contents } = (await get(place)).body.data
  service.ctx.threads = threads
  expect(contents.ja).toMatchObject({ lead: null, terms: [], coverage: { files: { length: 3000 } } })
  expect(tasks).toContain('addNewFields')
})
