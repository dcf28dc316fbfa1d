import { type Kysely, sql } from 'kysely'
import { isReplacedBy } from '../engine/clock.ts'
import type { PullRequestListsTable } from '../schema/pullTables.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository, shownTo } from '../visibility.ts'

type Place = Pick<PullRequestListsTable, 'state' | 'page'>
export type ListKey = Place & { host_repo_id: number }

/** When the lists of these repositories were last fetched, for the visible repositories only. */
export async function findListTimes(db: Kysely<Schema>, audience: Audience, ids: number[], place: Place) {
  return selectShown(db, audience, ids, place).execute()
}

/** One page of the lists of these repositories, for the visible repositories only. */
export async function findShownLists(db: Kysely<Schema>, audience: Audience, ids: number[], place: Place) {
  return selectShown(db, audience, ids, place)
    .select([
      'repositories.owner',
      'repositories.name',
      'repositories.private',
      'pull_request_lists.has_more',
      'pull_request_lists.document',
    ])
    .execute()
}

function selectShown(db: Kysely<Schema>, audience: Audience, ids: number[], { state, page }: Place) {
  return shownTo(db, audience)
    .innerJoin('pull_request_lists', 'pull_request_lists.host_repo_id', 'repositories.host_repo_id')
    .where(fitsRepository('pull_request_lists'))
    .where(sql<boolean>`repositories.host_repo_id = any(${ids}::bigint[])`)
    .where('pull_request_lists.state', '=', state)
    .where('pull_request_lists.page', '=', page)
    .select(['repositories.host_repo_id', 'pull_request_lists.asked_at'])
}

export async function findListVersion(db: Kysely<Schema>, { host_repo_id, state, page }: ListKey) {
  return db
    .selectFrom('pull_request_lists')
    .where('host_repo_id', '=', host_repo_id)
    .where('state', '=', state)
    .where('page', '=', page)
    .select(['version', 'private'])
    .executeTakeFirst()
}

/** Marks a list as fresh after the code host answered "not modified". */
export async function touchList(
  db: Kysely<Schema>,
  key: ListKey,
  version: string,
  askedAt: Date,
  now: Date,
): Promise<void> {
  await db
    .updateTable('pull_request_lists')
    .set({ asked_at: askedAt })
    .where('host_repo_id', '=', key.host_repo_id)
    .where('state', '=', key.state)
    .where('page', '=', key.page)
    .where('version', '=', version)
    .where(isReplacedBy(sql.ref('asked_at'), askedAt, now))
    .execute()
}

/** Stores a page, unless a page from a later request is already stored. */
export async function upsertList(db: Kysely<Schema>, row: PullRequestListsTable, now: Date): Promise<void> {
  await db
    .insertInto('pull_request_lists')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['host_repo_id', 'state', 'page'])
        .doUpdateSet(row)
        .where(isReplacedBy(sql.ref('pull_request_lists.asked_at'), row.asked_at, now)),
    )
    .execute()
}
