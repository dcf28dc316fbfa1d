import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

export interface PullRequestKey {
  host_repo_id: number
  number: number
}

/** Which of some pull requests have an article. */
export async function findWithArticle(db: Kysely<Schema>, keys: PullRequestKey[]): Promise<PullRequestKey[]> {
  if (keys.length === 0) return []
  const ids = keys.map((key) => key.host_repo_id)
  const numbers = keys.map((key) => key.number)
  return db
    .selectFrom('articles')
    .where(sql<boolean>`(host_repo_id, number) in (select * from unnest(${ids}::bigint[], ${numbers}::integer[]))`)
    .select(['host_repo_id', 'number'])
    .execute()
}
