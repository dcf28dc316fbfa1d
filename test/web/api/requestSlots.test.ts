import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSlots } from '../../../src/runtime/limits/slots.ts'
import { slotsOf } from '../../../src/web/api/requestSlot.ts'
import { ACCEPT, toolCall } from '../../support/mcp.ts'
import { startService } from '../../support/service.ts'

const LONG_MS = 60_000
const HERE = '192.0.2.1'
const THERE = '198.51.100.1'
const OPTIONS = { atOnce: 2, perClient: 1, maxWaiting: 10, maxWaitMs: LONG_MS }

const service = await startService({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
afterAll(() => service.close())
const { indexing } = service.ctx
const ownSlots = slotsOf(service.ctx)
const { catchUp } = indexing
const defaults = { ...ownSlots }

interface Sending {
  path: string
  message?: object
}

interface Kind extends Sending {
  slots: 'searches' | 'messages'
  /** Texts that the response to a refused request contains. */
  refusal: string[]
}

const OF_API = ['"success":false', '"code":"SERVICE_UNAVAILABLE"', '"requestId":"']
const OF_MCP = ['"jsonrpc":"2.0","id":1', '"code":"SERVICE_UNAVAILABLE"', '"requestId":"']
const search = toolCall('search_articles', { query: 'word' })
const list = toolCall('search_articles')
const kinds: Record<string, Kind> = {
  'searches of the API': { slots: 'searches', path: '/articles?q=word', refusal: OF_API },
  'lists of the API by a filter': { slots: 'searches', path: '/articles?author=someone', refusal: OF_API },
  'search pages': { slots: 'searches', path: '/read/search?q=word', refusal: ['<html'] },
  'feeds of searches': { slots: 'searches', path: '/feeds/search.atom?q=word', refusal: OF_API },
  'searches of MCP clients': { slots: 'messages', path: '/mcp', message: search, refusal: OF_MCP },
  'messages of MCP clients': { slots: 'messages', path: '/mcp', message: list, refusal: OF_MCP },
}

async function send({ path, message }: Sending, address: string, signal?: AbortSignal) {
  const response = await fetch(service.url + path, {
    headers: {
      'x-forwarded-for': address,
      ...(message && { 'content-type': 'application/json', accept: ACCEPT, 'mcp-protocol-version': '2025-06-18' }),
    },
    ...(message && { method: 'POST', body: JSON.stringify(message) }),
    ...(signal && { signal }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Holds lists and searches that have started. For each, the returned array gets a function that releases it. */
function holdRunning() {
  const running: (() => void)[] = []
  indexing.catchUp = () => new Promise((resolve) => void running.push(resolve))
  return running
}

function replaceSlots(slots: Kind['slots'], options: Partial<typeof OPTIONS> = {}) {
  ownSlots[slots] = createSlots({ ...OPTIONS, ...options })
  return vi.spyOn(ownSlots[slots], 'take')
}

beforeEach(() => {
  indexing.catchUp = catchUp
})

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  test('a limited number runs at a time, no network takes all slots, and further requests wait', async () => {
    const take = replaceSlots(kind.slots)
    const running = holdRunning()
    const sent = [HERE, HERE, THERE, '203.0.113.1'].map((address) => send(kind, address))
    await expect.poll(() => take.mock.calls.length).toBe(sent.length)
    await expect.poll(() => running.length).toBe(2)
    expect(take.mock.settledResults.filter(({ type }) => type === 'fulfilled')).toHaveLength(2)
    running[0]?.()
    await expect.poll(() => running.length).toBe(3)
    running[1]?.()
    await expect.poll(() => running.length).toBe(4)
    for (const end of running) end()
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('a request gets 503 with Retry-After if too many wait already, or after it has waited too long', async () => {
    for (const options of [{ maxWaiting: 0 }, { maxWaitMs: 1 }]) {
      replaceSlots(kind.slots, options)
      const release = await ownSlots[kind.slots].take(HERE)
      const { status, headers, text } = await send(kind, HERE)
      expect([status, headers.get('retry-after')]).toEqual([503, '2'])
      for (const part of kind.refusal) expect(text).toContain(part)
      expect((await send(kind, THERE)).status).toBe(200)
      release()
      expect((await send(kind, HERE)).status).toBe(200)
    }
  })

  test('a request gives up its place in the queue when its client disconnects', async () => {
    const take = replaceSlots(kind.slots, { maxWaiting: 1 })
    const release = await ownSlots[kind.slots].take(HERE)
    const running = holdRunning()
    const leaving = new AbortController()
    const left = send(kind, HERE, leaving.signal).catch((error: unknown) => error)
    await expect.poll(() => take.mock.calls.length).toBe(2)
    leaving.abort()
    expect(await left).toBeInstanceOf(Error)
    await expect.poll(() => take.mock.settledResults[1]?.type).toBe('rejected')
    const next = send(kind, HERE)
    await expect.poll(() => take.mock.calls.length).toBe(3)
    release()
    await expect.poll(() => running.length).toBe(1)
    running[0]?.()
    expect((await next).status).toBe(200)
    expect(running).toHaveLength(1)
  })

  test('a request that fails releases its slot', async () => {
    replaceSlots(kind.slots, { atOnce: 1, maxWaiting: 0 })
    indexing.catchUp = () => Promise.reject(new Error('failed'))
    expect((await send(kind, HERE)).text).not.toContain('SERVICE_UNAVAILABLE')
    indexing.catchUp = catchUp
    expect((await send(kind, HERE)).status).toBe(200)
  })
})

test.each(['searches of the API', 'messages of MCP clients'])('one network cannot take all slots: %s', async (name) => {
  const kind = kinds[name] as Kind
  ownSlots[kind.slots] = defaults[kind.slots]
  const take = vi.spyOn(ownSlots[kind.slots], 'take')
  const running = holdRunning()
  const sent = Array.from({ length: 10 }, () => send(kind, HERE))
  await expect.poll(() => take.mock.calls.length).toBe(sent.length)
  sent.push(send(kind, THERE))
  await expect.poll(() => take.mock.settledResults[10]?.type).toBe('fulfilled')
  expect(take.mock.settledResults.filter(({ type }) => type !== 'fulfilled')).not.toEqual([])
  indexing.catchUp = catchUp
  for (const end of running) end()
  await Promise.all(sent)
})
