import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

export interface PullRequestKey {
  host_repo_id: number
  number: number
}

/** Which of some pull requests have an article. */
export async function findWithArticle(db: Kysely<Schema>, keys: PullRequestKey[]): Promise<PullRequestKey[]> {
  if (keys.length === 0) return []
  const asked = sql.join(keys.map((key) => sql`(${key.host_repo_id}::bigint, ${key.number}::integer)`))
  return db
    .selectFrom('articles')
    .where(sql<boolean>`(host_repo_id, number) in (${asked})`)
    .select(['host_repo_id', 'number'])
    .execute()
}
