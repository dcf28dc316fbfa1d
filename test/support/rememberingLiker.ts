import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import { type LikableText, tap } from './likers.ts'
import { pick } from './seededRandom.ts'

const PAUSE_AFTER_FAILURE_MS = 500

export type RememberingLiker = ReturnType<typeof startLiker>

/** Likes and unlikes texts in sequence until stopped, and records acknowledged results. */
export function startLiker(client: Client, token: string, texts: LikableText[], random: () => number) {
  /** Whether the user likes a text; undefined if the last request was not acknowledged. */
  const known = new Map<LikableText, boolean | undefined>(texts.map((text) => [text, false]))
  const faults: object[] = []
  let isStopped = false
  let acknowledged = 0
  let acknowledgedAt = 0
  let refusedAt = 0

  async function act(): Promise<void> {
    const text = pick(random, texts)
    const isLike = random() < 0.6
    const before = known.get(text)
    known.set(text, undefined)
    const { status, body } = await tap(client, token, text, isLike)
    if (status === 503) {
      refusedAt = performance.now()
      return sleep(PAUSE_AFTER_FAILURE_MS)
    }
    if (!statusesOf(isLike, before).includes(status)) faults.push({ text, before, isLike, status, body })
    known.set(text, isLike)
    acknowledged += 1
    acknowledgedAt = performance.now()
  }
  async function actUntilStopped(): Promise<void> {
    while (!isStopped)
      await act().catch((error) => {
        faults.push(error)
        return sleep(PAUSE_AFTER_FAILURE_MS)
      })
  }
  const acting = actUntilStopped()
  return {
    known,
    faults,
    acknowledged: () => acknowledged,
    wasAcknowledgedSince: (time: number) => acknowledgedAt > time,
    wasRefusedSince: (time: number) => refusedAt > time,
    stop(): Promise<void> {
      isStopped = true
      return acting
    },
  }
}

function statusesOf(isLike: boolean, before: boolean | undefined): number[] {
  if (!isLike) return [200]
  return before === undefined ? [200, 201] : [before ? 200 : 201]
}
