import { expect, test } from 'vitest'
import { paginate } from '../../src/host/paginate.ts'

test.each([
  ['an unknown number of items', undefined, 9, [1, 2, 3, 4, 5, 6]],
  ['no items', 0, 9, []],
  ['as many items as expected', 600, 9, [1, 2, 3, 4, 5, 6]],
  ['more items than expected', 101, 9, [1, 2, 3, 4, 5, 6]],
  ['more pages than may be read', 600, 5, [1, 2, 3, 4, 5]],
])('reads the pages of %s', async (_, expected, maxPages, pages) => {
  const asked: number[] = []
  const found: number[] = []
  const fetchPage = async (page: number) => {
    asked.push(page)
    return { items: [page], hasMore: page < 6 }
  }
  for await (const items of paginate(expected, maxPages, fetchPage)) found.push(...items)
  expect([asked, found]).toEqual([pages, pages])
})
