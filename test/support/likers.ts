import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect } from 'vitest'
import type { FakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import type { Client } from './client.ts'
import { changed } from './pulls.ts'
import { pick } from './seededRandom.ts'

const PAUSE_AFTER_FAILURE_MS = 500
const PERIODS = ['all_time', 'monthly', 'weekly', 'daily'] as const

export interface LikableText {
  articleId: string
  language: string
  createdAt: string
}

/**
 * Repeats a request while an overloaded service answers 503, as it does on a busy machine. A request that got 503 may
 * have been carried out.
 */
export async function untilAnswered<T extends { status: number }>(request: () => Promise<T>) {
  let answer = await request()
  const isRepeated = answer.status === 503
  while (answer.status === 503) {
    await sleep(PAUSE_AFTER_FAILURE_MS)
    answer = await request()
  }
  return { answer, isRepeated }
}

/** Signs up users in parallel. */
export function signUpMany(client: Client, host: FakeHost, number: number): Promise<{ id: string; token: string }[]> {
  return Promise.all(
    Array.from({ length: number }, async (_, i) => {
      const token = host.token(`liker-${i}`)
      const { answer, isRepeated } = await untilAnswered(() => client.call('signUp', { token }))
      if (!isRepeated || answer.status !== 409) expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      const { body } = await untilAnswered(() => client.call('getCurrentUser', { token })).then((read) => read.answer)
      return { id: body.data.id, token }
    }),
  )
}

/** Generates articles in Japanese, and the first `inEnglish` also in English. */
export async function writeTexts(
  client: Client,
  { host, token }: { host: FakeHost; token: string },
  { articles, inEnglish }: { articles: number; inEnglish: number },
): Promise<LikableText[]> {
  const pulls = Array.from({ length: articles }, (_, i) => ({ number: i + 1, files: [changed('src/app.ts')] }))
  host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })
  const write = async (number: number, language: string): Promise<LikableText> => {
    const params = { owner: 'acme', repo: 'shop', number: String(number) }
    const { status, body } = await client.call('generateArticle', { token, params, body: { language } })
    expect(status, JSON.stringify(body)).toBe(200)
    return { articleId: body.data.id, language, createdAt: body.data.createdAt }
  }
  const written = await Promise.all(
    pulls.map(async ({ number }) => {
      const text = await write(number, 'ja')
      return number <= inEnglish ? [text, await write(number, 'en')] : [text]
    }),
  )
  return written.flat()
}

/** Likes or unlikes a text. */
export function tap(client: Client, token: string, { articleId, language }: LikableText, isLike: boolean) {
  const params = { articleId, langCode: language }
  return client.call(isLike ? 'likeArticle' : 'unlikeArticle', { token, params })
}

/** Likes and unlikes texts in sequence until stopped, and records acknowledged results. */
export function startLiker(client: Client, token: string, texts: LikableText[], random: () => number) {
  /** Whether the user likes a text; undefined if the last request was not acknowledged. */
  const known = new Map<LikableText, boolean | undefined>(texts.map((text) => [text, false]))
  const faults: object[] = []
  let isStopped = false
  let acknowledged = 0
  let acknowledgedAt = 0
  let refusedAt = 0

  async function act(): Promise<void> {
    const text = pick(random, texts)
    const isLike = random() < 0.6
    const before = known.get(text)
    known.set(text, undefined)
    const { status, body } = await tap(client, token, text, isLike)
    if (status === 503) {
      refusedAt = performance.now()
      return sleep(PAUSE_AFTER_FAILURE_MS)
    }
    if (!statusesOf(isLike, before).includes(status)) faults.push({ text, before, isLike, status, body })
    known.set(text, isLike)
    acknowledged += 1
    acknowledgedAt = performance.now()
  }
  async function actUntilStopped(): Promise<void> {
    while (!isStopped)
      await act().catch((error) => {
        faults.push(error)
        return sleep(PAUSE_AFTER_FAILURE_MS)
      })
  }
  const acting = actUntilStopped()
  return {
    known,
    faults,
    acknowledged: () => acknowledged,
    wasAcknowledgedSince: (time: number) => acknowledgedAt > time,
    wasRefusedSince: (time: number) => refusedAt > time,
    stop(): Promise<void> {
      isStopped = true
      return acting
    },
  }
}

function statusesOf(isLike: boolean, before: boolean | undefined): number[] {
  if (!isLike) return [200]
  return before === undefined ? [200, 201] : [before ? 200 : 201]
}

interface TextLikes {
  article_id: string
  language: string
  likes: number
  all_time: number
  monthly: number
  weekly: number
  daily: number
  uncounted: number
}

/** Reads actual likes, counted likes and pending changes of every text in one snapshot. */
export async function readTextLikes(client: pg.ClientBase): Promise<TextLikes[]> {
  const { rows } = await client.query<TextLikes>(`
    select article_id, language, ${PERIODS.map((period) => `coalesce(${period}, 0) as ${period}`).join(', ')},
      (select count(*) from likes
        where likes.article_id = texts.article_id and likes.language = texts.language)::integer as likes,
      (select coalesce(sum(change), 0) from like_changes
        where like_changes.article_id = texts.article_id and like_changes.language = texts.language)::integer as uncounted
    from article_texts texts left join like_counts using (article_id, language)`)
  return rows
}

/**
 * Waits until no change is pending, then expects the counts of every period to equal the likes, which are all recent.
 */
export async function expectCounted(client: pg.ClientBase): Promise<void> {
  const changes = async () => (await client.query('select from like_changes')).rowCount
  await expect.poll(changes, { timeout: 60_000, message: 'uncounted changes' }).toBe(0)
  for (const text of await readTextLikes(client)) {
    const counts = PERIODS.map((period) => text[period])
    expect(counts, JSON.stringify(text)).toEqual(counts.map(() => text.likes))
  }
  const columns = PERIODS.map((period) => `(count(*) filter (where ${period} > 0))::integer as ${period}`)
  const { rows: ranked } = await client.query(`
    select coalesce(language, 'all') as language, ${columns.join(', ')} from like_counts
    where ranked group by grouping sets ((language), ()) order by 1`)
  const { rows: totals } = await client.query(`
    select language, ${PERIODS.join(', ')} from ranking_totals order by 1`)
  expect(totals).toEqual(ranked)
}
