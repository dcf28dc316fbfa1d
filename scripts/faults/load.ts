import { setTimeout as sleep } from 'node:timers/promises'
import type { Text, World } from './world.ts'

/** Longer than any request may take. */
const PATIENCE_MILLISECONDS = 35_000
const PAUSE_BEFORE_RETRY = 300

export interface Report {
  requests: number
  acknowledged: number
  lost: number
  /** Requests that failed, and failed again when they were tried once more. */
  errors: number
  /** Of those that failed, which statuses there were; 0 is none. */
  statuses: Record<number, number>
  milliseconds: number[]
}

interface Deed {
  path: string
  method: 'GET' | 'POST' | 'DELETE'
  token?: string | undefined
  /** What it makes true of a user and a text, once acknowledged. */
  like?: { key: string; isLiked: boolean }
}

/** People who read, like and take that back, so many times a second whatever comes of it, until told to stop. */
export function startLoad(world: World, perSecond: number, url = world.front.url) {
  const known = new Map<string, boolean | undefined>()
  const report: Report = { requests: 0, acknowledged: 0, lost: 0, errors: 0, statuses: {}, milliseconds: [] }
  const underWay = new Set<Promise<void>>()
  const busy = new Set<string>()
  let isStopped = false
  let lastFailure = performance.now()
  let firstSuccessAfter: number | undefined

  async function perform(deed: Deed): Promise<void> {
    const started = performance.now()
    if (deed.like) known.set(deed.like.key, undefined)
    let status = await attempt(url, deed)
    if (isFailure(status)) {
      fail(status)
      await sleep(PAUSE_BEFORE_RETRY)
      status = await attempt(url, deed)
    }
    report.milliseconds.push(performance.now() - started)
    if (isFailure(status)) {
      report.errors += 1
      fail(status)
    } else {
      firstSuccessAfter ??= performance.now()
      if (deed.like) {
        known.set(deed.like.key, deed.like.isLiked)
        report.acknowledged += 1
      }
    }
    if (deed.like) busy.delete(deed.like.key)
  }

  function fail(status: number): void {
    report.statuses[status] = (report.statuses[status] ?? 0) + 1
    lastFailure = performance.now()
    firstSuccessAfter = undefined
  }

  async function run(): Promise<void> {
    const started = performance.now()
    for (let n = 0; !isStopped; n++) {
      const due = started + (n * 1000) / perSecond
      await sleep(Math.max(0, due - performance.now()))
      const deed = nextDeed(world, busy)
      report.requests += 1
      const doing = perform(deed).finally(() => underWay.delete(doing))
      underWay.add(doing)
    }
  }

  const running = run()
  return {
    report,
    /** Since when everything has been answered again, by `performance.now()`. */
    soundSince: () =>
      firstSuccessAfter !== undefined && firstSuccessAfter > lastFailure ? firstSuccessAfter : undefined,
    async stop(): Promise<Report> {
      isStopped = true
      await running
      await Promise.all(underWay)
      report.lost = await countLost(world, known)
      return report
    },
  }
}

/** No answer, or one that says that something is wrong on our side. */
function isFailure(status: number): boolean {
  return status === 0 || status >= 500
}

async function attempt(url: string, { path, method, token }: Deed): Promise<number> {
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

function nextDeed({ users, texts }: World, busy: Set<string>): Deed {
  const chance = Math.random()
  const text = picked(texts)
  const user = picked(users)
  const key = `${user.id} ${text.articleId} ${text.language}`
  if (chance < 0.4) return { method: 'GET', path: '/ranking/articles/likes?period=weekly' }
  if (chance < 0.6) return { method: 'GET', path: `/articles/${text.articleId}`, token: user.token }
  if (chance < 0.7) return { method: 'GET', path: '/users/me/liked-articles', token: user.token }
  if (busy.has(key)) return { method: 'GET', path: '/users/me', token: user.token }
  busy.add(key)
  const isLiked = Math.random() < 0.6
  const path = `/articles/${text.articleId}/language/${text.language}/like`
  return { method: isLiked ? 'POST' : 'DELETE', path, token: user.token, like: { key, isLiked } }
}

function picked<T>(list: T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}

/** What was acknowledged and is not as it was acknowledged. */
async function countLost(world: World, known: Map<string, boolean | undefined>): Promise<number> {
  const rows = await world.query<Text & { user: string }>(
    'select user_id as "user", article_id as "articleId", language from likes',
  )
  const liked = new Set(rows.map(({ user, articleId, language }) => `${user} ${articleId} ${language}`))
  return [...known].filter(([key, isLiked]) => isLiked !== undefined && liked.has(key) !== isLiked).length
}
