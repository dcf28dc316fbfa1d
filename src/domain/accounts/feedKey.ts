import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { findFeedAddress, findFeedOwner, replaceFeedAddress } from '../../db/feeds/feedAddresses.ts'
import { Secret } from '../../lib/secret.ts'
import { sealedForFeedOf } from './feedOwner.ts'
import { seal, unseal } from './seal.ts'
import type { Viewer } from './session.ts'

const KEY_BYTES = 24

/** The secret part of the URL of a user's own feed; undefined if the user has none. */
export async function feedKeyOf(ctx: Context, { user }: Viewer): Promise<string | undefined> {
  const sealed = await findFeedAddress(ctx.db, user.id)
  return sealed && unseal(ctx.encryptionKeys, sealed, sealedForFeedOf(user.id))
}

/** Replaces the URL of the feed; the old URL stops working. */
export async function renewFeedKey(ctx: Context, { user }: Viewer): Promise<void> {
  const key = randomBytes(KEY_BYTES).toString('base64url')
  const sealed = seal(ctx.encryptionKeys, key, sealedForFeedOf(user.id))
  await replaceFeedAddress(ctx.db, { user_id: user.id, key_hash: new Secret(key).sha256(), ...sealed })
}

export async function ownerOfFeed(ctx: Context, key: string) {
  return findFeedOwner(ctx.db, new Secret(key).sha256())
}
