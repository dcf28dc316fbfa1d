import type { IncomingHttpHeaders } from 'node:http'
import { unauthenticated } from '../accounts/problems.ts'
import type { Context } from '../context.ts'
import { hastenCheck } from '../db/merges/hints.ts'
import { updateWatched } from '../db/merges/watched.ts'
import { Problem } from '../errors.ts'
import { type Hint, isSigned } from '../host/webhooks.ts'
import { checkPublic } from '../repositories/publicVisibility.ts'

export async function requireSignature(ctx: Context, text: string, headers: IncomingHttpHeaders): Promise<void> {
  const { webhookSecrets } = ctx.config
  if (!webhookSecrets) throw new Problem('NOT_FOUND', 'This service receives no webhooks.')
  if (!(await isSigned(webhookSecrets, text, headers))) throw unauthenticated('The signature is missing or wrong.')
}

/** The service reads the state itself from the code host, without making the sender wait for that. */
export async function followHint(ctx: Context, { about, hostRepoId }: Hint): Promise<void> {
  if (about === 'closed pull request') await hastenCheck(ctx.db, hostRepoId, ctx.now())
  else recheckInBackground(ctx, hostRepoId)
}

function recheckInBackground(ctx: Context, hostRepoId: number): void {
  ctx.gates
    .hintedChecks(String(hostRepoId), async () => {
      await checkPublic(ctx, hostRepoId, { isForced: true })
      await updateWatched(ctx.db, hostRepoId, ctx.now())
    })
    .catch((error) => ctx.log.warn({ err: error, hostRepoId }, 'Could not follow a webhook delivery.'))
}
