import type { HostResponse } from './responses.ts'

export interface HostPage<T> {
  items: T[]
  hasMore: boolean
}

const PER_PAGE = 100
const AT_ONCE = 4

/**
 * The paginate of a list in their order, some of them asked for side by side where it is known how many there are. The
 * code host itself says which is the last; we stop at `most`.
 */
export async function* paginate<T>(
  expected: number | undefined,
  most: number,
  ask: (page: number) => Promise<HostPage<T>>,
): AsyncGenerator<T[]> {
  if (expected === 0) return
  const known = Math.ceil((expected ?? PER_PAGE) / PER_PAGE)
  for (let next = 1, hasMore = true; hasMore && next <= most; ) {
    const atOnce = Math.min(Math.max(known - next + 1, 1), AT_ONCE, most - next + 1)
    const batch = await Promise.all(Array.from({ length: atOnce }, (_, i) => ask(next + i)))
    for (const { items } of batch) yield items
    hasMore = batch.at(-1)?.hasMore ?? false
    next += atOnce
  }
}

export function hasNextPage({ link }: HostResponse['headers']): boolean {
  return /rel="?next"?/.test(link ?? '')
}
