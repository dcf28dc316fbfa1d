import { afterAll, expect, test } from 'vitest'
import { pollOnce } from '../../src/domain/merges/poll.ts'
import { merged, startWatchingService } from '../support/merges.ts'
import { repositoryOf } from '../support/pulls.ts'

const service = await startWatchingService({ AUTOMATIC_ARTICLES_PER_DAY: '0' })
afterAll(() => service.close())

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('the poller reads a very long list of pull requests in several rounds', async () => {
  const pulls = [merged(1, 1)]
  const { id } = repositoryOf(service, 'acme/busy', { pulls })
  await service.favorite(await service.signedUp('follower'), 'acme/busy')
  await service.poll()
  // The author is a bot, because the poller lists pull requests of bots without scoring them, which would take calls.
  const byBot = { author: 'renovate[bot]', isBot: true }
  pulls.push(...range(3000, 5499).map((number) => merged(number, 200 + number / 100, byBot)))
  service.advance(7 * 60 * 60_000)
  const { to } = await service.host.during(() => pollOnce(service.ctx, new AbortController().signal))
  expect(to(new RegExp(`^/repositories/${id}/pulls$`))).toBe(20)
  const numbers = async () => {
    const rows = service.ctx.db.selectFrom('merges').where('is_earlier', '=', false).select('number').orderBy('number')
    return (await rows.execute()).map(({ number }) => number)
  }
  expect(await numbers()).toHaveLength(2000)
  await service.poll()
  await service.poll()
  expect(await numbers()).toEqual(range(3000, 5499))
})
