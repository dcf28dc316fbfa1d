import { added, modified } from '../sampleFile.ts'
import type { SamplePull } from '../samplePull.ts'

const repository = { owner: 'harborline', repo: 'turnstile' }

export const clockJump: SamplePull = {
  ...repository,
  number: 218,
  title: 'Do not let a burst through after the clock jumps',
  body: `On Tuesday NTP moved the clock of two nodes 90 seconds ahead. Every bucket counted that as 90 seconds of refill,
and for a moment all limits were off: 40,000 requests reached the payment API, which allows 2,000.

Buckets now measure elapsed time with \`performance.now()\`, which never jumps, and never hold more than their
capacity. Fixes #214.`,
  author: 'mirela-stan',
  createdAt: '2026-10-08T07:12:40Z',
  updatedAt: '2026-10-09T12:05:33Z',
  mergedAt: '2026-10-09T12:05:33Z',
  commits: [
    { message: 'Show the burst in a test', author: 'mirela-stan', at: '2026-10-08T06:55:01Z' },
    { message: 'Measure refills with the monotonic clock', author: 'mirela-stan', at: '2026-10-08T07:10:27Z' },
  ],
  comments: [
    {
      author: 'joon-park',
      at: '2026-10-08T09:20:11Z',
      body: 'Confirmed on staging with `date -s "+90 seconds"`: before 1,000 calls pass at once, now 10.',
    },
  ],
  reviews: [
    {
      author: 'joon-park',
      at: '2026-10-09T11:58:00Z',
      body: 'Good that the test moves only the wall clock.',
      state: 'APPROVED',
    },
  ],
  files: [
    modified(
      'src/bucket.ts',
      `
@@ 8 export interface BucketOptions {
   capacity: number
   /** Tokens a second. */
   rate: number
-  now?: () => number
+  /** Milliseconds of a clock that never goes back or jumps. */
+  monotonic?: () => number
 }

 export class Bucket {
@@ 17 export class Bucket {
   #filledAt: number

   constructor(options: BucketOptions) {
-    this.#options = { now: Date.now, ...options }
+    this.#options = { monotonic: () => performance.now(), ...options }
     this.#tokens = options.capacity
-    this.#filledAt = this.#options.now()
+    this.#filledAt = this.#options.monotonic()
   }

   /** Whether there was a token to take. */
@@ 35 export class Bucket {
   }

   #refill(): void {
-    const now = this.#options.now()
+    const { capacity, rate, monotonic } = this.#options
+    const now = monotonic()
     const seconds = (now - this.#filledAt) / 1000
-    this.#tokens += seconds * this.#options.rate
+    this.#tokens = Math.min(capacity, this.#tokens + seconds * rate)
     this.#filledAt = now
   }
 }
`,
    ),
    added(
      'test/clockJump.test.ts',
      `
import { expect, test, vi } from 'vitest'
import { Bucket } from '../src/bucket.ts'

test('a wall clock that jumps ahead fills no bucket', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const bucket = new Bucket({ capacity: 10, rate: 10 })
  for (let i = 0; i < 10; i++) bucket.take()
  vi.setSystemTime(Date.now() + 90_000)
  expect(bucket.take()).toBe(false)
})

test('a long pause fills a bucket to its capacity and no further', () => {
  let time = 0
  const bucket = new Bucket({ capacity: 10, rate: 10, monotonic: () => time })
  time += 3_600_000
  const taken = Array.from({ length: 20 }, () => bucket.take()).filter(Boolean)
  expect(taken).toHaveLength(10)
})
`,
    ),
    modified(
      'CHANGELOG.md',
      `
@@ 1
 # Changes

+## 3.4.2
+
+- A clock that jumps ahead no longer lifts all limits for a moment (#214).
+- **Renamed:** the option \`now\` of \`Bucket\` is \`monotonic\`; it takes milliseconds of a monotonic clock.
+
 ## 3.4.1

 - \`Retry-After\` is rounded up, never down.
`,
    ),
  ],
}

/** Still open, without a description. */
export const constantTime: SamplePull = {
  ...repository,
  number: 221,
  title: 'Compare API keys in constant time',
  body: null,
  author: 'joon-park',
  createdAt: '2026-10-12T16:44:09Z',
  updatedAt: '2026-10-12T16:44:09Z',
  commits: [{ message: 'Compare API keys in constant time', author: 'joon-park', at: '2026-10-12T16:40:00Z' }],
  files: [
    modified(
      'src/keys.ts',
      `
@@ 1
+import { createHash, timingSafeEqual } from 'node:crypto'
 import type { Key } from './types.ts'

 export function findKey(keys: Key[], presented: string): Key | undefined {
-  return keys.find((key) => key.secret === presented)
+  const digest = digestOf(presented)
+  // Digests are of one length, which timingSafeEqual asks for and a secret does not promise.
+  return keys.filter((key) => timingSafeEqual(digestOf(key.secret), digest)).at(0)
+}
+
+function digestOf(text: string): Buffer {
+  return createHash('sha256').update(text).digest()
 }
`,
    ),
  ],
}
