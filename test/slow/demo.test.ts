import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, inject, test } from 'vitest'
import { printed } from '../../scripts/demo/print.ts'
import { printedRanking } from '../../scripts/demo/ranking.ts'
import { startService } from '../../scripts/demo/service.ts'
import { createTestDatabase } from '../support/database.ts'

const run = promisify(execFile)
const demo = join(import.meta.dirname, '../../scripts/demo.ts')

test('the demo writes an article about each pull request, prints one and the ranking, and exits', async () => {
  const { stdout } = await run(process.execPath, [demo, '--once', '--language', 'en'], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
  })
  expect(stdout.match(/^✓ /gm)).toHaveLength(6)
  const text = stripVTControlCharacters(stdout)
  expect(text).toMatch(/^Why$/m)
  expect(text).toMatch(/^ {4}18 \+ var encoders = sync\.Pool\{$/m)
  expect(text.split('Our largest customers')).toHaveLength(2)
  expect(stdout).toMatch(/Read 4 of 5 files; skipped: go\.sum \(lockFile\)/)
  expect(stdout.slice(stdout.indexOf('8 readers'))).toBe(
    `8 readers gave 20 likes and took one back: quillworks/atlas#1024, 6 → 5.

Ranking  ♥ liked by reader
  1  ████████ 8 ♥  Do not let a burst through after the clock jumps         harborline/turnstile#218
  2  █████    5    Keep rendered tiles on disk, once for each content       quillworks/atlas#1024
  3  ███      3    Compress responses with zstd when the client accepts it  tidewater/sluice#340
  4  ██       2 ♥  what happens to queued mail when the disk is full        mossgrove/lantern#96
  5  █        1    Compare API keys in constant time                        harborline/turnstile#221
`,
  )
})

test('the demo lets pages on this machine call the API', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-demo-test-'))
  const { signal } = new AbortController()
  const database = await createTestDatabase(inject('template'))
  const service = await startService({ folder, hostUrl: 'http://127.0.0.1:9', env: database.env, signal })
  const ask = (origin: string, method = 'GET') =>
    fetch(`${service.url}/ranking/articles/likes`, {
      method,
      headers: { origin, ...(method === 'OPTIONS' && { 'access-control-request-method': 'GET' }) },
    })
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080']) {
    const { status, headers } = await ask(origin)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin])
    const exposed = headers.get('access-control-expose-headers')
    for (const name of ['X-Request-Id', 'RateLimit-Remaining', 'Location', 'Retry-After'])
      expect(exposed).toContain(name)
    expect((await ask(origin, 'OPTIONS')).status).toBe(204)
  }
  expect((await ask('https://example.com')).headers.get('access-control-allow-origin')).toBeNull()
  await service.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

test('an article shows each quote once', () => {
  const quotes = ['It is slow.', 'Nobody waits that long.']
  const content = {
    ...{ aiGeneratedTitle: 'Faster', lead: null, impact: null, mainChanges: [], notablePoints: [] },
    reasons: [{ sources: quotes.map((quote) => ({ kind: 'issue', quote, url: null })) }],
    backgroundAndPurpose: 'The author says: “It is slow.”',
    coverage: { changedFiles: 1, read: 1, files: [] },
    generator: { kind: 'outline', milliseconds: 1 },
  }
  const article = { contents: { en: content } } as unknown as Parameters<typeof printed>[0]
  const text = stripVTControlCharacters(printed(article, 'en'))
  for (const quote of quotes) expect(text.split(quote)).toHaveLength(2)
  expect(text).toMatch(/^ {4}“Nobody waits that long\.” \(issue\)$/m)
})

test('the ranking fits the columns for titles in any script', () => {
  const rows = [
    ranked({ rank: 9, likeCount: 120, liked: true, aiGeneratedTitle: '時計が飛んでも一斉に通さないようにする' }),
    ranked({ rank: 10, likeCount: 9, liked: null, aiGeneratedTitle: 'Aタイルを一度だけディスクに保存する' }),
    ranked({ rank: 11, likeCount: 1, aiGeneratedTitle: 'Compare keys' }),
  ]
  expect(lines(rows, 60)).toEqual([
    '   9  ████████ 120 ♥  時計が飛んでも…   mossgrove/lantern#96',
    '  10  █          9    Aタイルを一度だ…  mossgrove/lantern#96',
    '  11  █          1    Compare keys      mossgrove/lantern#96',
  ])
  expect(lines(rows, 40)).toEqual([
    '   9  ████████ 120 ♥  時計が飛んでも一…',
    '  10  █          9    Aタイルを一度だけ…',
    '  11  █          1    Compare keys',
  ])
})

type Ranked = Parameters<typeof printedRanking>[0][number]

function ranked(given: Partial<Ranked>): Ranked {
  const place = { repositoryFullName: 'mossgrove/lantern', owner: 'mossgrove', repo: 'lantern', prNumber: 96 }
  const article = { articleId: '', languageCode: 'ja', aiGeneratedTitle: '', lead: null }
  return { rank: 1, likeCount: 1, liked: false, ...article, ...place, ...given }
}

function lines(rows: Ranked[], columns: number): string[] {
  return stripVTControlCharacters(printedRanking(rows, 'reader', columns))
    .split('\n')
    .slice(1)
}
