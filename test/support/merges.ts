import { expect } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { pollOnce } from '../../src/domain/merges/poll.ts'
import { startWritingService } from './articles.ts'
import { favoritesOf } from './favorites.ts'
import { added } from './pulls.ts'

export const SERVICE_TOKEN = 'service-token-0123456789abcdef'

const MINUTE_MS = 60_000
const START_MS = Date.now() - 100 * MINUTE_MS

export interface ListedMerge {
  prNumber: number
  status: string
  reason: string | null
  score: number | null
  explanation: string
  earlier: boolean
  error: { code: string } | null
  nextTryAt: string | null
  articleId: string | null
}

/** A time on the code host. The service starts at minute 100, so that smaller numbers are times before its start. */
export function at(minute: number): string {
  return new Date(START_MS + minute * MINUTE_MS).toISOString()
}

/** A merged pull request, notable unless told otherwise. */
export function merged(number: number, minute: number, more: Partial<FakePull> = {}): FakePull {
  const time = at(minute)
  const files = [added(`src/part-${number}.ts`, 40)]
  return {
    number,
    title: `feat: add part ${number}`,
    mergedAt: time,
    updatedAt: time,
    createdAt: at(0),
    files,
    ...more,
  }
}

/** A service that watches favorites, with a fake model. Tests run its poller. */
export async function startWatchingService(env: Record<string, string> = {}) {
  const watching = { AUTOMATIC_ARTICLES: 'on', CODE_HOST_TOKEN: SERVICE_TOKEN, WATCH_INTERVAL_SECONDS: '60' }
  const service = await startWritingService({ ...watching, ...env })
  service.host.admit(SERVICE_TOKEN, 'pullpress')
  const { favorite } = favoritesOf(service)
  const poll = async () => {
    while (await pollOnce(service.ctx, new AbortController().signal));
  }

  async function list(name: string, query: Record<string, string> = {}, token?: string): Promise<ListedMerge[]> {
    const [owner = '', repo = ''] = name.split('/')
    const { status, body } = await service.call('listMerges', { token, params: { owner, repo }, query })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.data
  }

  /** Waits until no article is queued or being written. Repeats one query, because a whole poll would send many. */
  async function jobsEnded(): Promise<void> {
    const open = service.ctx.db.selectFrom('article_jobs').where('status', 'in', ['queued', 'running']).select('id')
    await expect.poll(() => open.execute()).toEqual([])
  }

  return {
    ...service,
    poll,
    list,
    favorite,
    /** Makes all checks due and polls. */
    async pollDue(): Promise<void> {
      service.advance(7 * 60 * MINUTE_MS)
      await poll()
    },
    /** Polls until no merge waits for a decision and no article is queued or being written. */
    async settle(): Promise<void> {
      await expect
        .poll(
          async () => {
            await poll()
            const open = await service.ctx.db
              .selectFrom('merges')
              .where('status', 'in', ['found', 'queued', 'writing'])
              .select('number')
              .execute()
            if (open.length > 0) await jobsEnded()
            return open.length
          },
          { timeout: 60_000, interval: 50 },
        )
        .toBe(0)
    },
    jobsEnded,
    /** Ends all watching, so that the polls of the next test do not check the repositories of this one. */
    async unwatchAll(): Promise<void> {
      await service.ctx.db.deleteFrom('favorites').execute()
      await service.ctx.db.deleteFrom('watched_repositories').execute()
    },
    /** The status of each listed pull request, by number. */
    async statuses(name: string): Promise<Record<number, string>> {
      const entries = await list(name, { limit: '100' })
      return Object.fromEntries(
        entries.map(({ prNumber, status, reason }) => [prNumber, reason ? `${status}: ${reason}` : status]),
      )
    },
    /** The authorization headers of calls to the code host during `work`. */
    async tokensDuring(work: () => Promise<unknown>): Promise<Set<string | undefined>> {
      const before = service.host.calls.length
      await work()
      return new Set(service.host.calls.slice(before).map(({ authorization }) => authorization))
    },
  }
}
