import { expect, test } from 'vitest'
import { ttlCache } from '../../src/lib/ttlCache.ts'

function aCache() {
  const clock = { ms: 0 }
  const cache = ttlCache<number>(() => new Date(clock.ms), 1000, 2)
  return { clock, cache, kept: () => ['a', 'b', 'c'].map((key) => cache.get(key)) }
}

test('keeps a value until its TTL expires', () => {
  const { clock, cache } = aCache()
  cache.set('a', 1)
  clock.ms = 999
  expect(cache.get('a')).toBe(1)
  clock.ms = 1000
  expect(cache.get('a')).toBeUndefined()
})

test('drops the oldest value when the cache is full', () => {
  const { cache, kept } = aCache()
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 3)
  expect(kept()).toEqual([3, 2, undefined])
  cache.set('c', 4)
  expect(kept()).toEqual([3, undefined, 4])
})

test('setting a value again restarts its TTL, and deleting removes it', () => {
  const { clock, cache, kept } = aCache()
  cache.set('a', 1)
  clock.ms = 600
  cache.set('a', 2)
  cache.set('b', 3)
  cache.delete('b')
  clock.ms = 1500
  expect(kept()).toEqual([2, undefined, undefined])
})
