import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'

/** A copy of an article: about another pull request, with the same texts. */
export interface Copy {
  id: string
  number: number
  at: Date
}

/** An SQL expression for each column that differs. It may use the columns of `original` and the fields of `copy`. */
type Changes = Record<string, RawBuilder<unknown>>

/**
 * Copies an article, its pull request and its entries in the search index, with one statement for each table.
 * `declared` gives the SQL types of the fields that copies have besides those of `Copy`; `changes` gives more changes by
 * table.
 */
export async function copyArticle<One extends Copy>(
  db: Kysely<Schema>,
  articleId: string,
  copies: One[],
  declared: Record<Exclude<keyof One, keyof Copy>, 'text' | 'boolean'>,
  changes: Record<string, Changes> = {},
): Promise<void> {
  const columnsOfCopy = Object.entries({ id: 'uuid', number: 'integer', at: 'timestamptz', ...declared })
  await db.transaction().execute(async (trx) => {
    // Turns triggers off, which would index all copies again.
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const [table, changed] of Object.entries(CHANGES)) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_name = ${table} and is_generated = 'NEVER'`.execute(trx)
      const all: Changes = { ...changed, ...changes[table] }
      const values = rows.map(({ name }) => all[name] ?? sql.ref(`original.${name}`))
      await sql`
        insert into ${sql.table(table)} (${sql.join(rows.map(({ name }) => sql.ref(name)))})
        select ${sql.join(values)}
        from (select * from ${sql.table(table)} where ${isOriginal(table, articleId)}) original,
          jsonb_to_recordset(${JSON.stringify(copies)}::jsonb)
            as copy(${sql.join(columnsOfCopy.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})`.execute(
        trx,
      )
    }
  })
}

const ofCopy = { article_id: sql`copy.id`, created_at: sql`copy.at` }
const CHANGES: Record<string, Changes> = {
  articles: { id: sql`copy.id`, number: sql`copy.number`, created_at: sql`copy.at` },
  pull_requests: { number: sql`copy.number` },
  article_texts: { article_id: sql`copy.id` },
  article_cards: ofCopy,
  article_search: ofCopy,
}

function isOriginal(table: string, articleId: string): RawBuilder<boolean> {
  if (table === 'articles') return sql`id = ${articleId}`
  if (table !== 'pull_requests') return sql`article_id = ${articleId}`
  return sql`(host_repo_id, number) = (select host_repo_id, number from articles where id = ${articleId})`
}
