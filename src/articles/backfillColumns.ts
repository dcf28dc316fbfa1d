import type { Context } from '../context.ts'
import { updateColumns } from '../db/pulls/heads.ts'
import { findStored } from '../db/pulls/pullRequests.ts'
import { columnsOf } from '../pulls/document.ts'
import { readFacts } from '../pulls/offLoop.ts'

/** Fills in the columns that nodes of an older version leave empty when they store a pull request. */
export async function backfillColumns(ctx: Context, hostRepoId: number, number: number): Promise<void> {
  const stored = await findStored(ctx.db, hostRepoId, number)
  if (!stored) return
  const facts = await readFacts(ctx.threads, stored.document)
  await updateColumns(ctx.db, hostRepoId, number, columnsOf(facts, stored.version))
}
