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

export async function whatThereIs(db: Kysely<Schema>) {
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

/** Texts from the best liked one down to the least, as far apart as they can be. */
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

/** Made-up users go where there are no others, unless somebody says that they may. */
export async function requireNoOthers(db: Kysely<Schema>): Promise<void> {
  const other = await db
    .selectFrom('users')
    .where(({ not }) => not(isSeededUser))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (other)
    throw new SeedFailure(
      'This database has real users. Made-up articles would stand in their rankings, for good; --yes fills it all the same.',
    )
}
