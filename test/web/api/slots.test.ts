import { afterEach, expect, test, vi } from 'vitest'
import { createSlots, inSlot } from '../../../src/runtime/limits/slots.ts'

const TOO_MANY = { code: 'SERVICE_UNAVAILABLE', retryAfter: 2 }

afterEach(() => void vi.useRealTimers())

/** `take` takes a slot for a client; `admitted` names, in order, the clients that got one. */
function takingFrom(options: Parameters<typeof createSlots>[0]) {
  const slots = createSlots(options)
  const admitted: string[] = []
  const take = async (client: string, left?: AbortSignal) => {
    const release = await slots.take(client, left)
    admitted.push(client)
    return release
  }
  return { admitted, take }
}

test('admits waiting work in order when slots are released', async () => {
  const { admitted, take } = takingFrom({ atOnce: 2, maxWaiting: 10 })
  const [first, second] = [await take('a'), await take('b')]
  const waiting = ['c', 'd', 'e'].map((client) => take(client))
  expect(admitted).toEqual(['a', 'b'])
  second()
  await waiting[0]
  first()
  await waiting[1]
  expect(admitted).toEqual(['a', 'b', 'c', 'd'])
})

test('a client that has used up its share waits while others get slots', async () => {
  const { admitted, take } = takingFrom({ atOnce: 3, perClient: 2, maxWaiting: 10 })
  const release = await take('a')
  await take('a')
  const third = take('a')
  const releaseOther = await take('b')
  const waiting = take('b')
  releaseOther()
  await waiting
  expect(admitted).toEqual(['a', 'a', 'b', 'b'])
  release()
  await third
})

test('releasing a slot twice frees one slot only', async () => {
  const { admitted, take } = takingFrom({ atOnce: 1, maxWaiting: 10 })
  const release = await take('a')
  const waiting = [take('b'), take('c')]
  release()
  release()
  await waiting[0]
  await Promise.resolve()
  expect(admitted).toEqual(['a', 'b'])
})

test('refuses work of a client at once if too much of its work waits already, but not work of other clients', async () => {
  const { take } = takingFrom({ atOnce: 1, maxWaiting: 1 })
  const release = await take('a')
  const waiting = take('a')
  await expect(take('a')).rejects.toMatchObject(TOO_MANY)
  const other = take('b')
  release()
  const next = await waiting
  next()
  await other
})

test('refuses work that waited too long, and gives the next slot to other work', async () => {
  vi.useFakeTimers()
  const { admitted, take } = takingFrom({ atOnce: 1, maxWaiting: 10, maxWaitMs: 1000 })
  const release = await take('a')
  const waiting = expect(take('b')).rejects.toMatchObject(TOO_MANY)
  await vi.advanceTimersByTimeAsync(999)
  const later = take('c')
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  release()
  await later
  expect(admitted).toEqual(['a', 'c'])
})

test('a client that disconnects gives up its place in the queue', async () => {
  const { admitted, take } = takingFrom({ atOnce: 1, maxWaiting: 1 })
  const release = await take('a')
  const leaving = new AbortController()
  const left = expect(take('b', leaving.signal)).rejects.toThrow('left')
  leaving.abort(new Error('left'))
  await left
  await expect(take('b', leaving.signal)).rejects.toThrow('left')
  const waiting = take('b')
  release()
  await waiting
  expect(admitted).toEqual(['a', 'b'])
})

test('work that fails releases its slot', async () => {
  const slots = createSlots({ atOnce: 1, maxWaiting: 0 })
  await expect(inSlot(slots, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await inSlot(slots, async () => 'next')).toBe('next')
})
