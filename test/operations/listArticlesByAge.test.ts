import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const RECENT = 4100
const OLD = 120
const DAY_MS = 24 * 60 * 60_000
const RARE = [0, 1, 40, 2000, RECENT - 1, RECENT, RECENT + 1, RECENT + 60, RECENT + OLD - 1]

/** More texts than one range of a search holds: a minute apart, then ever older, up to thirty years. */
const copies = Array.from({ length: RECENT + OLD }, (_, n) => {
  const age = n < RECENT ? n * 60_000 : (RECENT / 1440) * DAY_MS + DAY_MS * 1.08 ** (n - RECENT)
  return { id: randomUUIDv7(), number: n + 2, at: new Date(Date.now() - 1000 - age), isRare: RARE.includes(n) }
})

beforeAll(async () => {
  const token = await service.signedUp('reader')
  const { id } = await articlesOf(service).generated(aPull(service, { title: 'kakapo' }), token, { language: 'ja' })
  await service.ctx.indexing.catchUp()
  await service.ctx.db.transaction().execute(async (trx) => {
    // Without triggers, which would index all copies again.
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const [table, changes] of Object.entries(changedColumns)) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_name = ${table} and is_generated = 'NEVER'`.execute(trx)
      const columns = rows.map(({ name }) => name)
      const values = columns.map((name) => changes[name] ?? sql.ref(`original.${name}`))
      const original =
        table === 'pull_requests'
          ? sql`number = 1`
          : sql`${sql.ref(table === 'articles' ? 'id' : 'article_id')} = ${id}`
      await sql`
        insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        select ${sql.join(values)} from (select * from ${sql.table(table)} where ${original}) original,
          jsonb_to_recordset(${JSON.stringify(copies)}::jsonb)
            as copy(id uuid, number integer, at timestamptz, "isRare" boolean)`.execute(trx)
    }
  })
})

const ofCopy = { article_id: sql`copy.id`, created_at: sql`copy.at` }
const changedColumns: Record<string, Record<string, unknown>> = {
  articles: { id: sql`copy.id`, number: sql`copy.number`, created_at: sql`copy.at` },
  pull_requests: { number: sql`copy.number` },
  article_texts: { article_id: sql`copy.id` },
  article_cards: ofCopy,
  article_search: {
    ...ofCopy,
    body: sql`original.body || case when copy."isRare" then ' zyzzyva' else '' end`,
    lexemes: sql`original.lexemes || case when copy."isRare" then 'zyzzyva' else '' end::tsvector`,
  },
}

const numbers = (body: { data: { data: { prNumber: number }[] } }) => body.data.data.map(({ prNumber }) => prNumber)

test('finds a rare word in texts of every age', async () => {
  const { body } = await service.call('listArticles', { query: { q: 'zyzzyva', limit: 100 } })
  expect(numbers(body)).toEqual(RARE.map((n) => n + 2))
  expect(body.data.isLimited).toBe(false)
})

test('pages through all matches by date', async () => {
  const found: number[] = []
  let cursor: string | undefined
  do {
    const query = { q: 'kakapo', sort: 'newest', limit: 100, ...(cursor && { cursor }) }
    const { body } = await service.call('listArticles', { query })
    found.push(...numbers(body))
    cursor = body.data.pagination.nextCursor ?? undefined
  } while (cursor)
  expect(found).toEqual([1, ...copies.map(({ number }) => number)])
})

test('ranks the newest matches of a common word, and says that there are more', async () => {
  const { body } = await service.call('listArticles', { query: { q: 'kakapo', limit: 100 } })
  expect(body.data.isLimited).toBe(true)
  expect(numbers(body)).toEqual([1, ...copies.map(({ number }) => number)].slice(0, 100))
})
