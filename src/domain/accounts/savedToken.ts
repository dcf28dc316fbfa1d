import type { Context } from '../../context.ts'
import { findHostToken } from '../../db/accounts/users.ts'
import { Secret } from '../../lib/secret.ts'
import { unseal } from './seal.ts'

/** The code-host token that a user has saved, unless the code host has refused it. */
export async function findSavedToken(ctx: Context, userId: string): Promise<Secret | null> {
  const saved = await findHostToken(ctx.db, userId)
  const token = saved && !saved.refused_at ? unseal(ctx.encryptionKeys, saved, userId) : undefined
  return token === undefined ? null : new Secret(token)
}
