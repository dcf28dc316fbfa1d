import { type Insertable, type Kysely, sql } from 'kysely'
import type { ModelSpendingTable } from '../schema/articleTables.ts'
import type { Schema } from '../schema/schema.ts'

export type Spending = Omit<Insertable<ModelSpendingTable>, 'job_id' | 'host_repo_id' | 'user_id' | 'is_automatic'>

/** Records what an attempt of a job has spent, whether it succeeded or not: a row for each model. */
export async function insertSpending(db: Kysely<Schema>, jobId: string, spending: Spending[]): Promise<void> {
  if (spending.length === 0) return
  const ofJob = <T>(column: string) => sql<T>`(select ${sql.ref(column)} from article_jobs where id = ${jobId}::uuid)`
  await db
    .insertInto('model_spending')
    .values(
      spending.map((row) => ({
        ...row,
        job_id: jobId,
        host_repo_id: ofJob<number>('host_repo_id'),
        // Null if the account was deleted meanwhile.
        user_id: ofJob<string | null>('user_id'),
        is_automatic: ofJob<boolean>('is_automatic'),
      })),
    )
    .execute()
}
