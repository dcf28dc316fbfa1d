import type { HostResponse } from './responses.ts'

export interface HostPage<T> {
  items: T[]
  hasMore: boolean
}

const PER_PAGE = 100
const MAX_CONCURRENT = 4

/**
 * Yields the pages of a list in order. If the number of items is known, several pages are fetched concurrently. The code
 * host says which page is the last; we stop at `maxPages`.
 */
export async function* paginate<T>(
  expected: number | undefined,
  maxPages: number,
  fetchPage: (page: number) => Promise<HostPage<T>>,
): AsyncGenerator<T[]> {
  if (expected === 0) return
  const expectedPages = Math.ceil((expected ?? PER_PAGE) / PER_PAGE)
  for (let next = 1, hasMore = true; hasMore && next <= maxPages; ) {
    const concurrent = Math.min(Math.max(expectedPages - next + 1, 1), MAX_CONCURRENT, maxPages - next + 1)
    const batch = await Promise.all(Array.from({ length: concurrent }, (_, i) => fetchPage(next + i)))
    for (const { items } of batch) yield items
    hasMore = batch.at(-1)?.hasMore ?? false
    next += concurrent
  }
}

export function hasNextPage({ link }: HostResponse['headers']): boolean {
  return /rel="?next"?/.test(link ?? '')
}
