import { randomBytes } from 'node:crypto'
import { type Ask, bytesOf, compare, type Figures, type Side, startSide } from '../test/bench/compare.ts'
import { asAdmin, databaseUrl } from '../test/support/database.ts'
import { startFakeHost } from '../test/support/fakeHost.ts'

/**
 * What reading a stored pull request costs, beside a bare `node:http` + `pg` server that answers the same bytes from
 * the same database, in one run.
 */
const ROUNDS = 5
const SIZES = { small: 20, medium: 800, large: 12_000 }

const name = `pullpress_bench_${randomBytes(4).toString('hex')}`
const host = await startFakeHost()
await asAdmin(`create database ${name}`)
const sides: Side[] = []
try {
  const env = {
    DATABASE_URL: databaseUrl(name),
    CODE_HOST_API_URL: host.url,
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    NODE_ENV: 'production',
  }
  sides.push(await startSide('pullpress', new URL('../test/bench/ours.ts', import.meta.url), env))
  sides.push(await startSide('bare', new URL('../test/bench/bare.ts', import.meta.url), env))
  await measureReading(sides)
} finally {
  for (const side of sides) side.process.disconnect()
  await asAdmin(`drop database ${name} with (force)`)
  await host.close()
}

async function measureReading([ours, bare]: Side[]): Promise<void> {
  if (!ours || !bare) return
  const token = await fill(ours)
  console.log(`Reading a stored pull request: ${ROUNDS} rounds of each, interleaved, 16 connections; medians.\n`)
  console.log('| answer | caller | server | requests/s | CPU µs/request | p99 ms | CPU to bare |')
  console.log('|---|---|---|---:|---:|---:|---:|')
  for (const [number, size] of Object.keys(SIZES).entries())
    for (const [caller, headers] of Object.entries({
      anonymous: {},
      'signed in': { authorization: `Bearer ${token}` },
    })) {
      const ask: Ask = { path: `/repos/acme/shop/pulls/${number + 1}`, headers }
      const [one, other] = [await bytesOf(ours, ask), await bytesOf(bare, ask)]
      if (!one.equals(other)) throw new Error(`The two servers do not answer the same bytes to ${ask.path}.`)
      const label = `${size}, ${Math.round(one.length / 1024)} KiB`
      const [mine, theirs] = await compare([ours, bare], ask, size === 'large' ? 200 : 3000, ROUNDS)
      if (mine && theirs) printRows(label, caller, mine, theirs)
    }
}

function printRows(label: string, caller: string, ours: Figures, bare: Figures): void {
  for (const [server, figures] of Object.entries({ bare, pullpress: ours }))
    console.log(
      `| ${label} | ${caller} | ${server} | ${figures.requestsPerSecond.toFixed(0)} | ${figures.cpuMicroseconds.toFixed(0)} | ${figures.p99Milliseconds.toFixed(1)} | ${(figures.cpuMicroseconds / bare.cpuMicroseconds).toFixed(2)} |`,
    )
}

/** Pull requests of several sizes, stored by the service itself. */
async function fill({ port }: Side): Promise<string> {
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
    if (status !== 200) throw new Error(`The bench could not fill its database: ${status}`)
  }
  return token
}
