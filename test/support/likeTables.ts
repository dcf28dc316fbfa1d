import type pg from 'pg'
import { expect } from 'vitest'

export interface TextLikes {
  article_id: string
  language: string
  likes: number
  all_time: number
  monthly: number
  weekly: number
  daily: number
  uncounted: number
}

const PERIODS = ['all_time', 'monthly', 'weekly', 'daily'] as const

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

/** Once no change is pending, the counts of every period equal the likes, because all likes are recent. */
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
