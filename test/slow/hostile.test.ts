import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { answer } from '../support/fakeModel.ts'
import { hostileAnswers } from '../support/hostile/answers.ts'
import { hostilePulls } from '../support/hostile/pulls.ts'
import { expectShortTurns } from '../support/longestTurn.ts'
import { startService } from '../support/service.ts'

/** The fake host and model share the event loop. */
const MAX_TURN_MS = 500
const WAIT = { prefer: 'wait=60' }
const SOCKETS = 50
const TRICKLE_MS = 500

const env = { ARTICLE_QUOTA_PER_DAY: '100000' }
const outlining = await startService({ env })
const writing = await startWritingService(env)
afterAll(() => Promise.all([outlining.close(), writing.close()]))
const tokens = { outlining: await outlining.signedUp('reader'), writing: await writing.signedUp('reader') }

type Make = Parameters<typeof aPull>[1]

/** Asks for an article about the pull request, and then for one about a harmless one. */
async function expectServed(name: 'outlining' | 'writing', pull: () => Make): Promise<void> {
  const service = { outlining, writing }[name]
  const articles = articlesOf(service)
  await expectShortTurns(MAX_TURN_MS, async () => {
    const { status, body } = await articles.generate(aPull(service, pull()), tokens[name], undefined, WAIT)
    expect([200, 502], JSON.stringify(body)).toContain(status)
  })
  writing.model.always(undefined)
  expect(await articles.generated(aPull(service), tokens[name])).toMatchObject({ prNumber: 1 })
}

const cases = Object.entries(hostilePulls).flatMap(([title, pull]) => [
  ['outlining' as const, title, pull] as const,
  ['writing' as const, title, pull] as const,
])

test.each(cases)('%s: a pull request with %s blocks nothing', { timeout: 240_000 }, async (name, _, pull) => {
  await expectServed(name, pull)
})

test.each(Object.entries(hostileAnswers))(
  'a model response of %s blocks nothing',
  { timeout: 240_000 },
  async (_, make) => {
    writing.model.always((_, response, good) => answer(response, make(good)))
    await expectServed('writing', () => ({ body: 'a'.repeat(65_000) }))
  },
)

test('closes idle connections and slow requests while others are served', { timeout: 60_000 }, async () => {
  const port = Number(new URL(outlining.url).port)
  const head = `PATCH /users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.outlining}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
  const statusAfter = async (sent: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write(sent)
    const trickling = setInterval(() => sent && socket.writable && socket.write(' '), TRICKLE_MS)
    const received = await text(socket).finally(() => clearInterval(trickling))
    return received.slice(0, 'HTTP/1.1 400'.length)
  }
  const statuses = Promise.all(Array.from({ length: SOCKETS }, (_, i) => statusAfter(i % 2 === 0 ? '' : head)))
  let isOver = false
  void statuses.finally(() => {
    isOver = true
  })
  for (; !isOver; await sleep(100)) {
    const { status } = await outlining.call('getCurrentUser', { token: tokens.outlining })
    expect(status).toBe(200)
  }
  expect(new Set(await statuses)).toEqual(new Set(['HTTP/1.1 400']))
})
