import { type Kysely, sql, type Transaction } from 'kysely'
import { isRepository, type Name } from '../repositories/repositories.ts'
import type { Schema } from '../schema/schema.ts'

export interface FoundRepository {
  host_repo_id: number
  owner: string
  name: string
  /** The id of the operator's act that hid it; null if it is not hidden. */
  hidden_by: string | null
}

export interface FoundPull extends FoundRepository {
  private: boolean
  number: number
  article_id: string | null
}

/**
 * The repositories of this name, most recently verified first: after a rename, two may have the same name. It ignores
 * visibility.
 */
export async function findNamed(db: Kysely<Schema>, name: Name): Promise<FoundRepository[]> {
  return db
    .selectFrom('repositories')
    .where(isRepository(name))
    .select(['host_repo_id', 'owner', 'name', 'hidden_by'])
    .orderBy('verified_at', 'desc')
    .execute()
}

/**
 * Finds a stored pull request by its article, or by the repository's name and a number. If two repositories have the
 * name, the most recently verified one counts.
 */
export async function findPull(
  db: Kysely<Schema>,
  by: { articleId: string } | { name: Name; number: number },
): Promise<FoundPull | undefined> {
  const isMeant =
    'articleId' in by
      ? sql<boolean>`articles.id = ${by.articleId}::uuid`
      : sql<boolean>`(${isRepository(by.name)} and pull_requests.number = ${by.number}::integer)`
  return db
    .selectFrom('pull_requests')
    .innerJoin('repositories', 'repositories.host_repo_id', 'pull_requests.host_repo_id')
    .leftJoin('articles', (join) =>
      join
        .onRef('articles.host_repo_id', '=', 'pull_requests.host_repo_id')
        .onRef('articles.number', '=', 'pull_requests.number'),
    )
    .where(isMeant)
    .select(['repositories.host_repo_id', 'repositories.owner', 'repositories.name', 'repositories.private'])
    .select(['pull_requests.number', 'pull_requests.hidden_by', 'articles.id as article_id'])
    .orderBy('repositories.verified_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Hides a repository (`by` is the id of the operator's act) or unhides it (`by` is null). Returns false if a concurrent
 * act has already done so.
 */
export async function setRepositoryHidden(trx: Transaction<Schema>, hostRepoId: number, by: string | null) {
  const { numUpdatedRows } = await trx
    .updateTable('repositories')
    .set({ hidden_by: by })
    .where('host_repo_id', '=', hostRepoId)
    .where('hidden_by', by === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** As `setRepositoryHidden`, for a pull request with its article. */
export async function setPullHidden(
  trx: Transaction<Schema>,
  { host_repo_id, number }: Pick<FoundPull, 'host_repo_id' | 'number'>,
  by: string | null,
) {
  const { numUpdatedRows } = await trx
    .updateTable('pull_requests')
    .set({ hidden_by: by })
    .where('host_repo_id', '=', host_repo_id)
    .where('number', '=', number)
    .where('hidden_by', by === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Everything that operators have hidden, most recently hidden first. */
export async function findAllHidden(db: Kysely<Schema>) {
  const { rows } = await sql<{
    owner: string
    name: string
    number: number | null
    article_id: string | null
    at: Date
    by: string
    note: string | null
  }>`
    select hidden.owner, hidden.name, hidden.number, hidden.article_id, admin_acts.at, admin_acts.by, admin_acts.note
    from (
      select owner, name, null::integer as number, null::uuid as article_id, hidden_by from repositories
      where hidden_by is not null
      union all
      select repositories.owner, repositories.name, pull_requests.number, articles.id, pull_requests.hidden_by
      from pull_requests
      join repositories on repositories.host_repo_id = pull_requests.host_repo_id
      left join articles
        on articles.host_repo_id = pull_requests.host_repo_id and articles.number = pull_requests.number
      where pull_requests.hidden_by is not null
    ) hidden
    join admin_acts on admin_acts.id = hidden.hidden_by
    order by admin_acts.id desc`.execute(db)
  return rows
}
