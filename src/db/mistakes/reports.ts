import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** Reports of mistakes with the reporter, newest first. For operators: it ignores visibility. */
export async function findReports(db: Kysely<Schema>, { limit, isAll }: { limit: number; isAll: boolean }) {
  return db
    .selectFrom('mistakes')
    .innerJoin('users', 'users.id', 'mistakes.user_id')
    .where(isAll ? sql<boolean>`true` : sql<boolean>`mistakes.closed_at is null`)
    .select(['mistakes.id', 'mistakes.article_id', 'mistakes.language', 'mistakes.description', 'mistakes.quote'])
    .select(['mistakes.created_at', 'mistakes.closed_at', 'users.host_username as login'])
    .orderBy('mistakes.created_at', 'desc')
    .orderBy('mistakes.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findReport(db: Kysely<Schema>, id: string) {
  return db.selectFrom('mistakes').where('id', '=', id).select(['id', 'closed_at']).executeTakeFirst()
}

/** Returns false if the report is already closed. */
export async function closeReport(trx: Transaction<Schema>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mistakes')
    .set({ closed_at: now })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
