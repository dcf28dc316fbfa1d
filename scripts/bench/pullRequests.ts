import { type Bench, ROUNDS, WARM_UPS } from './bench.ts'
import { bytesOf, compare, type Side } from './compare.ts'
import type { Ask } from './connection.ts'
import { printHead, printRows } from './table.ts'

const SIZES = { small: 20, medium: 800, large: 12_000 }

/** Reads stored pull requests of several sizes. */
export async function benchPullRequests({ host, start }: Bench): Promise<void> {
  const [ours, bare] = [await start('pullpress', 'ourServer'), await start('bare', 'bareServer')]
  const token = await store(ours, host)
  console.log(`\nReading a stored pull request: ${ROUNDS} rounds, rotated, 16 connections; medians.\n`)
  printHead()
  for (const [i, size] of Object.keys(SIZES).entries()) {
    const ask: Ask = { path: `/repos/acme/shop/pulls/${i + 1}`, token }
    const [ourBytes, bareBytes] = [await bytesOf(ours, ask), await bytesOf(bare, ask)]
    if (!ourBytes.equals(bareBytes)) throw new Error(`The servers return different bytes for ${ask.path}.`)
    const requests = size === 'large' ? 100 : 1500
    const trial = { ask: () => ask, status: 200, requests, rounds: ROUNDS, warmUps: WARM_UPS }
    const what = `pull request, ${Math.round(ourBytes.length / 1024)} KiB`
    printRows(what, ['pullpress', 'bare'], await compare([ours, bare], trial))
  }
}

/** Lets the service itself store the pull requests. */
async function store({ port }: Side, host: Bench['host']): Promise<string> {
  const token = host.token('reader')
  const headers = { authorization: `Bearer ${token}` }
  const pulls = Object.values(SIZES).map((lines, i) => {
    const text = Array.from({ length: lines }, (_, line) => `+line ${line} of a file that was added, as long as most`)
    return { number: i + 1, files: [{ filename: 'a.txt', patch: `@@ -0,0 +1,${lines} @@\n${text.join('\n')}` }] }
  })
  host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })
  await fetch(`http://127.0.0.1:${port}/auth/signup`, { method: 'POST', headers })
  for (const { number } of pulls) {
    const url = `http://127.0.0.1:${port}/repos/acme/shop/pulls/${number}/ingest`
    const { status } = await fetch(url, { method: 'POST', headers })
    if (status !== 200) throw new Error(`The bench could not fill its database: status ${status}`)
  }
  return token
}
