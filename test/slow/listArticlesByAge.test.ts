import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeCursor } from '../../src/lib/cursor.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { copyArticle } from '../support/copies.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const RECENT = 4100
const OLD = 120
const DAY_MS = 24 * 60 * 60_000
const RARE = [0, 1, 40, 2000, RECENT - 1, RECENT, RECENT + 1, RECENT + 60, RECENT + OLD - 1]

/** Selects texts of another repository: nearly all of the newest 1,300 texts, which are more than a search sorts. */
const isElsewhere = (n: number) => n >= 10 && n < 1300
/** Number of texts with both ranked words: each word is in title and head, only in the head, or only in the body. */
const RANKED = 200
const placeOf = (n: number) => (n % 3 === 0 ? 'title' : n % 3 === 1 ? 'head' : 'body')
const placesOf = (n: number) => ({ quokka: placeOf(n), numbat: placeOf(Math.floor(n / 3)) }) as const

/** More texts than the first time range of a search holds: a minute apart, then with gaps that grow to years. */
const copies = Array.from({ length: RECENT + OLD }, (_, n) => {
  const age = n < RECENT ? n * 60_000 : (RECENT / 1440) * DAY_MS + DAY_MS * 1.08 ** (n - RECENT)
  const words = { ...(n < RANKED && placesOf(n)), ...(RARE.includes(n) && { zyzzyva: 'body' }) }
  const at = (...places: string[]) =>
    Object.keys(words).filter((word) => places.includes(words[word as keyof typeof words] ?? ''))
  return {
    ...{ id: randomUUIDv7(), number: n + 2, at: new Date(Date.now() - 1000 - age), isElsewhere: isElsewhere(n) },
    ...{ title: at('title').join(' '), head: at('title', 'head').join(' '), body: at('body').join(' ') },
    lexemes: Object.keys(words).join(' '),
  }
})

beforeAll(async () => {
  const token = await service.signedUp('reader')
  const { id } = await articlesOf(service).generated(aPull(service, { title: 'kakapo' }), token, { language: 'ja' })
  await articlesOf(service).generated(aPull(service), token, { language: 'ja' })
  await service.ctx.indexing.catchUp()
  await copyArticle(service.ctx.db, id, copies, declared, changes)
})

const declared = { isElsewhere: 'boolean', title: 'text', head: 'text', body: 'text', lexemes: 'text' } as const
const elsewhere = sql`(select max(host_repo_id) from repositories)`
const ofRepository = {
  host_repo_id: sql`case when copy."isElsewhere" then ${elsewhere} else original.host_repo_id end`,
}
const changes = {
  articles: ofRepository,
  pull_requests: ofRepository,
  article_cards: ofRepository,
  article_search: {
    ...ofRepository,
    title: sql`concat_ws(' ', original.title, copy.title)`,
    head: sql`concat_ws(' ', original.head, copy.head)`,
    body: sql`concat_ws(' ', original.body, copy.body)`,
    lexemes: sql`original.lexemes || array_to_tsvector(string_to_array(copy.lexemes, ' '))`,
  },
}

const numbers = (body: { data: { data: { prNumber: number }[] } }) => body.data.data.map(({ prNumber }) => prNumber)

test('finds a rare word in texts of every age', async () => {
  const { body } = await service.call('listArticles', { query: { q: 'zyzzyva', limit: 100 } })
  expect(numbers(body)).toEqual(RARE.map((n) => n + 2))
  expect(body.data.isLimited).toBe(false)
})

async function allPages(query: Record<string, string | number>): Promise<number[]> {
  const found: number[] = []
  let cursor: string | undefined
  do {
    const { body } = await service.call('listArticles', { query: { ...query, ...(cursor && { cursor }) } })
    found.push(...numbers(body))
    cursor = body.data.pagination.nextCursor ?? undefined
  } while (cursor)
  return found
}

test('pages through all matches by date', async () => {
  const found = await allPages({ q: 'kakapo', sort: 'newest', limit: 100 })
  expect(found).toEqual([1, ...copies.map(({ number }) => number)])
})

test('a cursor with a time later than all texts returns the first page', async () => {
  const cursor = encodeCursor([0, 8.64e15, randomUUIDv7()])
  const { body } = await service.call('listArticles', { query: { q: 'kakapo', sort: 'newest', limit: 3, cursor } })
  expect(numbers(body)).toEqual([1, 2, 3])
})

test.each(['quokka', 'quokka numbat', 'numbat kakapo quokka'])(
  'ranks texts by the places in which the search terms occur: %s',
  async (q) => {
    const scores = { title: 8, head: 3, body: 1 }
    const terms = q.split(' ').filter((term) => term !== 'kakapo') as ('quokka' | 'numbat')[]
    const scoreOf = (n: number) => terms.reduce((sum, term) => sum + scores[placesOf(n)[term]], 0)
    const ranked = copies.slice(0, RANKED).map(({ number }, n) => ({ number, score: scoreOf(n) }))
    const expected = ranked.toSorted((a, b) => b.score - a.score || a.number - b.number).map(({ number }) => number)
    expect(await allPages({ q, limit: 7 })).toEqual(expected)
  },
)

test('finds older matches if the newest are not visible', async () => {
  await sql`update repositories set doubted = true where host_repo_id = ${elsewhere}`.execute(service.ctx.db)
  const { body } = await service.call('listArticles', { query: { q: 'kakapo', limit: 100 } })
  await sql`update repositories set doubted = false`.execute(service.ctx.db)
  const visible = copies.filter(({ isElsewhere }) => !isElsewhere).map(({ number }) => number)
  expect(numbers(body)).toEqual([1, ...visible].slice(0, 100))
  expect(body.data.isLimited).toBe(true)
})

test('ranks the newest matches of a common word, and says that there are more', async () => {
  const { body } = await service.call('listArticles', { query: { q: 'kakapo', limit: 100 } })
  expect(body.data.isLimited).toBe(true)
  expect(numbers(body)).toEqual([1, ...copies.map(({ number }) => number)].slice(0, 100))
  const cursor = encodeCursor([0, 0, randomUUIDv7()])
  const { body: last } = await service.call('listArticles', { query: { q: 'kakapo', limit: 100, cursor } })
  expect([last.data.data, last.data.isLimited]).toEqual([[], true])
})
