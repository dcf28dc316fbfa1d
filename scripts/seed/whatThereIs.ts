import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import { countLikes } from './counts.ts'
import { SeedFailure } from './failure.ts'
import { isSeededUser } from './users.ts'

export interface Text {
  articleId: string
  language: string
}

const SAMPLE = 20

export async function countRows(db: Kysely<Schema>) {
  const rowsOf = async (table: 'users' | 'articles' | 'article_texts') => {
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  }
  return {
    users: await rowsOf('users'),
    articles: await rowsOf('articles'),
    texts: await rowsOf('article_texts'),
    likes: await countLikes(db),
  }
}

/** Texts evenly spread from the most to the least liked. */
export async function sampleTexts(db: Kysely<Schema>): Promise<Text[]> {
  const { rows } = await sql<Text>`
    select article_id as "articleId", language
    from (
      select
        article_id, language, count(*) over () as texts,
        row_number() over (order by all_time desc, article_created_at desc, article_id, language) - 1 as place
      from like_counts where ranked and all_time > 0
    ) ranking
    where place % greatest(1, texts / ${sql.lit(SAMPLE)}) = 0
    order by place limit ${sql.lit(SAMPLE)}`.execute(db)
  return rows
}

/** Refuses to add made-up users to a database with real ones. */
export async function requireNoOthers(db: Kysely<Schema>): Promise<void> {
  const other = await db
    .selectFrom('users')
    .where(({ not }) => not(isSeededUser))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (other)
    throw new SeedFailure(
      'This database has real users. Made-up articles would stay in their rankings permanently. Use --yes to fill it anyway.',
    )
}
