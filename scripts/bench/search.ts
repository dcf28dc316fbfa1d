import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import { findArticles, type ListFilter, type Sort } from '../../src/db/search/articleLists.ts'
import { listFound, searchArticles } from '../../src/db/search/articleSearch.ts'
import type { Reader } from '../../src/db/search/listedTexts.ts'
import { type NewestTexts, searchRanges } from '../../src/db/search/searchRanges.ts'
import { placeFilter } from '../../src/domain/search/filters.ts'
import { fold } from '../../src/domain/search/fold.ts'
import { lookupOf } from '../../src/domain/search/lookup.ts'
import { parseQuery } from '../../src/domain/search/query.ts'
import { ttlCache } from '../../src/lib/ttlCache.ts'
import { seededRandom } from '../../test/support/seededRandom.ts'
import { createProgress } from '../seed/progress.ts'
import type { Bench } from './bench.ts'
import { addTexts, firstRepository, sentence } from './searchTexts.ts'

const SIZES = [1000, 10_000, 100_000]
export const COMMONEST = 20
const QUERIES = 200
const ROUNDS = 100
/** A viewer without an account. `now` is read for each query, because lists omit repositories verified after it. */
const anyone = () => ({ sessionId: null, now: new Date(), public_minutes: 60, userId: null })
/** The session id of a viewer without private repositories. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'
const everything: ListFilter = {
  ...{ language: undefined, preferred: undefined, hostRepoIds: undefined },
  ...{ mergedSince: undefined, mergedUntil: undefined },
}

/** Measures lists and searches as texts grow a hundredfold, in milliseconds of SQL, one reader at a time. */
export async function benchSearch({ db }: Bench): Promise<void> {
  const queries = drawQueries()
  console.log(
    `\nSearches (${QUERIES}, drawn by frequency, with the ${COMMONEST} commonest pairs) and lists: ms of SQL.\n`,
  )
  console.log(
    '| texts | search p50 | search p95 | newest | signed in | merged | most liked | of a repository | index bytes a text |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
  let size = 0
  for (const wanted of SIZES) {
    const printProgress = createProgress()
    await addTexts(db, size, wanted, (done) => printProgress(done, wanted - size, 'articles'))
    size = wanted
    const searches: number[] = []
    for (const query of [...queries, ...queries]) searches.push(await timed(() => search(db, query)))
    const measured = searches.slice(queries.length).toSorted((a, b) => a - b)
    const lists = [
      await listing(db, 'newest'),
      await listing(db, 'newest', everything, { ...anyone(), sessionId: NO_SESSION }),
      await listing(db, 'merged'),
      await listing(db, 'likes'),
      await listing(db, 'newest', { ...everything, hostRepoIds: [firstRepository] }),
    ]
    const figures = [at(measured, 0.5), at(measured, 0.95), ...lists].map((ms) => ms.toFixed(1))
    console.log(`| ${size.toLocaleString('en')} | ${figures.join(' | ')} | ${await indexBytes(db, size)} |`)
  }
}

function at(sorted: number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function listing(
  db: Kysely<Schema>,
  sort: Sort,
  filter = everything,
  reader: Reader = anyone(),
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    times.push(await timed(() => findArticles(db, filter, { sort, limit: 11, after: undefined }, reader)))
  return at(
    times.toSorted((a, b) => a - b),
    0.5,
  )
}

const newestTexts = ttlCache<NewestTexts>(() => new Date(), 60_000, 1)

async function search(db: Kysely<Schema>, query: string): Promise<void> {
  const lookup = lookupOf(parseQuery(query), [], [placeFilter(null)])
  const page = { sort: 'relevance', limit: 11, after: undefined } as const
  const ranges = await searchRanges(db, newestTexts, everything, page, anyone().now)
  const { found } = await searchArticles(db, lookup, ranges, everything, page, anyone())
  await listFound(db, found, anyone())
}

/** The queries: the most common pairs of characters, pairs drawn by their frequency, and words of sentences. */
export function drawQueries(): string[] {
  const random = seededRandom(7)
  const counts = new Map<string, number>()
  for (let n = 0; n < 3000; n++)
    for (const word of fold(sentence(random)).match(/\p{L}{2,}/gu) ?? [])
      for (let i = 0; i + 1 < word.length; i++)
        counts.set(word.slice(i, i + 2), (counts.get(word.slice(i, i + 2)) ?? 0) + 1)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  const pairs = sorted.flatMap(([pair, count]) => Array.from({ length: count }, () => pair))
  const drawn = Array.from({ length: QUERIES - COMMONEST }, (_, n) => {
    const pair = () => pairs[Math.floor(random() * pairs.length)] ?? ''
    const words = sentence(random).match(/[\p{sc=Han}\p{sc=Kana}ー]{2,}/gu) ?? ['処理']
    return n % 3 === 0 ? (words[0] ?? '') : n % 10 === 1 ? `${pair()} ${pair()}` : pair()
  })
  return [...sorted.slice(0, COMMONEST).map(([pair]) => pair), ...drawn]
}

async function indexBytes(db: Kysely<Schema>, texts: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size('article_search_lexemes') as bytes`.execute(db)
  return Math.round((rows[0]?.bytes ?? 0) / texts)
}
