import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../context.ts'
import { hastenCheck } from '../../db/merges/hints.ts'
import { updateWatched } from '../../db/merges/watched.ts'
import { Problem } from '../../errors.ts'
import { type Hint, isUsedEvent, startSignatureCheck } from '../../host/webhooks.ts'
import { perContext } from '../../lib/perContext.ts'
import { trailingFlight } from '../../lib/singleFlight.ts'
import { createSlots, inSlot, tooManyWait } from '../../runtime/limits/slots.ts'
import { unauthenticated } from '../accounts/problems.ts'
import { checkPublic } from '../repositories/publicVisibility.ts'
import { createBodyBudget } from './bodyBudget.ts'

const MIB_BYTES = 1024 * 1024
/** Payloads of the events that we use are smaller: the longest texts in them have 65,536 characters. */
const MAX_MIB_OF_USED_EVENTS = 1
/** The code host sends no larger payloads. */
const MAX_MIB_OF_OTHERS = 25

/** Bodies of webhook deliveries that are arriving. */
export const deliveryBodies = perContext(() => createBodyBudget())
/** Running checks that webhook deliveries asked for, by repository. */
const hintedChecks = perContext(() => trailingFlight())
/**
 * Limits what deliveries do at once: a burst must leave database connections and calls to the code host to other
 * requests.
 */
const hints = perContext(() => createSlots({ atOnce: 3, maxWaiting: 5000 }))
const hintedChecksAtOnce = perContext(() => createSlots({ atOnce: 3, maxWaiting: 10_000 }))

/**
 * Verifies the signature of a delivery while it arrives and returns its text. Returns undefined for an event that we do
 * not use, whose body is not kept in memory because it can be large. Slow deliveries are refused if too many arrive at
 * once.
 */
export async function readDelivery(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
): Promise<string | undefined> {
  const { webhookSecrets } = ctx.config
  if (!webhookSecrets) throw new Problem('NOT_FOUND', 'This service receives no webhooks.')
  const signature = startSignatureCheck(webhookSecrets, headers)
  if (!signature) throw wrongSignature()
  const isUsed = isUsedEvent(headers)
  const maxMib = isUsed ? MAX_MIB_OF_USED_EVENTS : MAX_MIB_OF_OTHERS
  const requireAtMost = (bytes: number) => {
    if (bytes > maxMib * MIB_BYTES) throw tooLarge(maxMib)
  }
  requireAtMost(Number(headers['content-length'] ?? 0))
  const body = isUsed ? deliveryBodies(ctx).begin(maxMib * MIB_BYTES) : undefined
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      requireAtMost(bytes)
      signature.add(chunk)
      body?.add(chunk)
    }
  } catch (error) {
    body?.end()
    throw error
  }
  const text = body?.end()
  if (!signature.isValid()) throw wrongSignature()
  if (isUsed && text === undefined) throw tooManyWait()
  return text
}

function wrongSignature(): Problem {
  return unauthenticated('The signature is missing or wrong.')
}

function tooLarge(maxMib: number): Problem {
  return new Problem('PAYLOAD_TOO_LARGE', `Deliveries of this event may have at most ${maxMib} MiB.`)
}

/**
 * Acts on a delivery. The service reads the current state from the code host itself, without making the sender wait for
 * that.
 */
export async function followHint(ctx: Context, { about, hostRepoId }: Hint): Promise<void> {
  if (about === 'repository') return recheckInBackground(ctx, hostRepoId)
  await inSlot(hints(ctx), () => hastenCheck(ctx.db, hostRepoId, ctx.now()))
}

function recheckInBackground(ctx: Context, hostRepoId: number): void {
  const check = async () => {
    await checkPublic(ctx, hostRepoId, { isForced: true })
    await updateWatched(ctx.db, hostRepoId, ctx.now())
  }
  hintedChecks(ctx)(String(hostRepoId), () => inSlot(hintedChecksAtOnce(ctx), check)).catch((error) =>
    ctx.log.warn({ err: error, hostRepoId }, 'Could not process a webhook delivery.'),
  )
}
