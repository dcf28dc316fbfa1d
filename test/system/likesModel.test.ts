import { randomInt } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject, onTestFailed, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { type Client, createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import {
  expectCounted,
  type LikableText,
  readTextLikes,
  signUpMany,
  tap,
  untilAnswered,
  writeTexts,
} from '../support/likers.ts'
import { startProcess } from '../support/process.ts'
import { pick, seededRandom } from '../support/seededRandom.ts'

const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31))
const USERS = 500
const USERS_AT_ONCE = 100
const IN_TWO_LANGUAGES = 4

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
const env = { ...database.env, CODE_HOST_API_URL: host.url }
const nodes = await Promise.all([startProcess(env), startProcess(env)])
const clients = nodes.map((node) => createClient(node.url))
const sql = new pg.Client({ connectionString: database.env['DATABASE_URL'] })
await sql.connect()
afterAll(async () => {
  await sql.end()
  await Promise.all(nodes.map((node) => node.kill('SIGTERM')))
  await database.drop()
  await host.close()
})

interface User {
  id: string
  token: string
  /** The expected state: the texts that the user likes, with the id of each like. */
  likes: Map<LikableText, string>
}

const accounts = await signUpMany(clients[0] as Client, host, USERS)
const users = new Set<User>(accounts.map((account) => ({ ...account, likes: new Map() })))
const writer = { host, token: accounts[0]?.token ?? '' }
const texts = await writeTexts(clients[0] as Client, writer, { articles: 20, inEnglish: IN_TWO_LANGUAGES })
const bilingual = texts.slice(0, 2 * IN_TWO_LANGUAGES)
// Two of these four articles share a timestamp, so that only the id decides their order.
for (const text of bilingual.slice(0, 4)) text.createdAt = '2026-01-01T00:00:00.000Z'
for (const { articleId, createdAt } of bilingual)
  await sql.query('update articles set created_at = $2 where id = $1', [articleId, createdAt])

const likeCountOf = (text: LikableText) => [...users].filter((user) => user.likes.has(text)).length

/** Responses that contradict the expected state. Collected in a list because thousands of expectations are slow. */
const mismatches: object[] = []

async function tapAsModelled(user: User, text: LikableText, isLike: boolean, client: Client): Promise<void> {
  const known = user.likes.get(text)
  const { answer, isRepeated } = await untilAnswered(() => tap(client, user.token, text, isLike))
  const { status, body } = answer
  const { alreadyLiked, likeCount, like } = body.data ?? {}
  const isNew = status === 201 && !alreadyLiked && !known
  const isOld = status === 200 && alreadyLiked && (known ? like.id === known : isRepeated)
  const isRight = isLike ? isNew || isOld : status === 200
  if (!isRight || likeCount < Number(isLike)) mismatches.push({ known, isLike, status, body })
  if (isLike) user.likes.set(text, like?.id)
  else user.likes.delete(text)
}

async function playAll(players: Iterable<User>, times: number, round: number): Promise<void> {
  const waiting = [...players].entries()
  const playInTurn = async () => {
    for (const [i, user] of waiting) {
      const random = seededRandom(seed + 1000 * round + i)
      for (let time = 0; time < times; time++)
        await tapAsModelled(user, pick(random, texts), random() < 0.6, pick(random, clients))
    }
  }
  await Promise.all(Array.from({ length: USERS_AT_ONCE }, playInTurn))
}

/** Gives the texts equal like counts, so that only the rule for ties decides their order. */
async function equalizeLikes(tied: LikableText[]): Promise<void> {
  const most = Math.max(...tied.map(likeCountOf))
  for (const text of tied) {
    const missing = [...users].filter((user) => !user.likes.has(text)).slice(0, most - likeCountOf(text))
    await Promise.all(missing.map((user, i) => tapAsModelled(user, text, true, clients[i % 2] as Client)))
  }
}

function rankingOf(language: string) {
  const order = (first: string, second: string) => (first < second ? -1 : Number(first > second))
  return texts
    .filter((text) => language === 'all' || text.language === language)
    .map((text) => ({ ...text, likeCount: likeCountOf(text) }))
    .filter(({ likeCount }) => likeCount > 0)
    .sort(
      (first, second) =>
        second.likeCount - first.likeCount ||
        order(second.createdAt, first.createdAt) ||
        order(first.articleId, second.articleId) ||
        order(first.language, second.language),
    )
    .map(({ articleId, language, likeCount }, i) => `${i + 1}. ${articleId} ${language}: ${likeCount}`)
}

async function expectAsModelled(): Promise<void> {
  expect(mismatches).toEqual([])
  const { rows } = await sql.query<{ like: string }>(
    "select concat_ws(' ', user_id, article_id, language, id) as like from likes",
  )
  const modelled = [...users].flatMap(({ id, likes }) =>
    [...likes].map(([{ articleId, language }, like]) => `${id} ${articleId} ${language} ${like}`),
  )
  expect(rows.map(({ like }) => like).sort()).toEqual(modelled.sort())

  const sums = (await readTextLikes(sql)).map((row) => [row.article_id, row.language, row.all_time + row.uncounted])
  expect(sums.sort()).toEqual(texts.map((text) => [text.articleId, text.language, likeCountOf(text)]).sort())

  for (const client of clients)
    for (const [articleId, inLanguages] of Map.groupBy(texts, (text) => text.articleId)) {
      const { body } = await client.call('getArticleById', { params: { articleId } })
      const likeCounts = inLanguages.map((text) => body.data.contents[text.language].likeCount)
      expect(likeCounts).toEqual(inLanguages.map(likeCountOf))
      expect(body.data.totalLikeCount).toBe(likeCounts.reduce((sum, count) => sum + count))
    }

  for (const client of clients)
    for (const period of ['all', 'daily', 'weekly', 'monthly'])
      for (const language of ['all', 'ja', 'en']) {
        const ranking = async () => {
          const { body } = await client.call('getArticleRanking', { query: { period, language, limit: 100 } })
          const { data, pagination } = body.data
          const ranked = (row: typeof data) => `${row.rank}. ${row.articleId} ${row.languageCode}: ${row.likeCount}`
          return { totalItems: pagination.totalItems, rows: data.map(ranked) }
        }
        const rows = rankingOf(language)
        await expect.poll(ranking).toEqual({ totalItems: rows.length, rows })
      }
  await expectCounted(sql)
}

test('likes and counts match the expected state while 500 users like and unlike through two processes', async () => {
  onTestFailed(() => console.log(`TEST_SEED=${seed}`))
  await playAll(users, 8, 0)
  await equalizeLikes(bilingual)
  await expectAsModelled()

  const leaving = [...users].slice(0, 25)
  for (const user of leaving) users.delete(user)
  const leave = async ({ token }: User, i: number) => {
    const client = clients[i % 2] as Client
    const { answer, isRepeated } = await untilAnswered(() => client.call('deleteCurrentUser', { token }))
    expect(isRepeated ? [204, 404] : [204]).toContain(answer.status)
  }
  await Promise.all([...leaving.map(leave), playAll([...users].slice(0, 100), 3, 1)])
  // Counts lose the likes of deleted accounts within a minute, or with the next like.
  await tapAsModelled([...users].at(-1) as User, texts[0] as LikableText, false, clients[0] as Client)
  await tapAsModelled([...users].at(-1) as User, texts[0] as LikableText, true, clients[0] as Client)
  await expectAsModelled()
})
