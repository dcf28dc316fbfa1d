import type { Context } from '../context.ts'
import { updateColumns } from '../db/pulls/heads.ts'
import { findStored } from '../db/pulls/pullRequests.ts'
import { columnsOf } from '../pulls/document.ts'
import { readFacts } from '../pulls/offLoop.ts'

/** Fills in what is looked up beside a document that a node of an older version has stored. */
export async function backfillColumns(ctx: Context, hostRepoId: number, number: number): Promise<void> {
  const stored = await findStored(ctx.db, hostRepoId, number)
  if (!stored) return
  const facts = await readFacts(ctx.threads, stored.document)
  await updateColumns(ctx.db, hostRepoId, number, columnsOf(facts, stored.version))
}
