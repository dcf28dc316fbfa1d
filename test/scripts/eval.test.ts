import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { samples } from '../../scripts/demo/samples.ts'
import { evaluate } from '../../scripts/eval/evaluate.ts'
import { openSubjects } from '../../scripts/eval/subjects.ts'
import type { StartService } from '../../scripts/eval/writeRun.ts'
import { type FakeHost, startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import {
  answer,
  type Behaviour,
  type FakeModel,
  type ModelRequest,
  promptOf,
  startFakeModel,
} from '../support/fakeModel.ts'
import { planted } from '../support/plantedSecrets.ts'
import { changed } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const HOST_TOKEN = 'host-token-of-the-eval'
const BETTER = '利用者がこれから出会う動作を、最初の一文で伝える見出しにしました。'
const SAMPLE = 'harborline_turnstile_218'
const OTHER_SAMPLE = 'harborline_turnstile_221'
const [secret = { line: '', secret: 'none' }] = planted()

let folder: string
let host: FakeHost
let model: FakeModel
let written: Run
let judged: Run

interface Run {
  code: number
  printed: string
  requests: ModelRequest[]
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pullpress-eval-test-'))
  model = await startFakeModel()
  model.addFigures()
  host = await startFakeHost({ loginOf: () => 'reader' })
  for (const repository of samples) host.repository({ ...repository, webUrl: host.url })
  const leaky = changed('src/leaky.ts', { patch: `@@ -0,0 +1 @@\n+${secret.line}`, additions: 1, deletions: 0 })
  const issues = [{ number: 5, title: 'It leaks', body: 'Since May.' }]
  const pull = { number: 1, body: 'Fixes #5', labels: ['bug', 'core'], milestone: 'v2', files: [leaky] }
  host.repository({ id: 7, owner: 'acme', name: 'leaky', webUrl: host.url, pulls: [pull], issues })
  model.always((request, response, good) => {
    if (request.response_format?.json_schema?.schema.properties['overall']) return judge(request, response, good)
    return answer(response, { ...good, aiGeneratedTitle: BETTER })
  })

  const addresses = ['harborline/turnstile#218', `${host.url}/harborline/turnstile/pull/221`]
  const others = ['tidewater/sluice#340', 'acme/leaky#1', 'acme/leaky#2']
  written = await run([...addresses, ...others, '--out', join(folder, 'newer')], {
    CODE_HOST_API_URL: host.url,
    CODE_HOST_WEB_URL: host.url,
    CODE_HOST_TOKEN: HOST_TOKEN,
  })
  // Creates the older run: an article of the newer run with another title, and one of which only the Markdown exists.
  await cp(join(folder, 'newer'), join(folder, 'older'), {
    recursive: true,
    filter: (path) => !/acme|sluice|221\.json/.test(path),
  })
  for (const file of [`${SAMPLE}.json`, `${OTHER_SAMPLE}.md`])
    await writeFile(join(folder, 'older', file), (await read('older', file)).replaceAll(BETTER, '変更'))
  judged = await run(['--judge', join(folder, 'newer'), '--against', join(folder, 'older')])
})
afterAll(async () => {
  await Promise.all([model.close(), host.close(), rm(folder, { recursive: true, force: true })])
})

/** Runs the command in this process, so that its service needs no embedded database, which is slow to start. */
async function run(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(`${text}\n`))
  const { signal } = new AbortController()
  let code = 0
  try {
    const requests = await model.during(async () => {
      code = await evaluate({ args, env: { ...model.env, ...env }, signal, start })
    })
    return { code, printed: printed.join(''), requests }
  } finally {
    log.mockRestore()
  }
}

const start: StartService = async ({ hostUrl, webUrl = hostUrl, env = {} }) => {
  const { PORT: _, ...settings } = env
  const all = { ...settings, ...model.env, CODE_HOST_API_URL: hostUrl, CODE_HOST_WEB_URL: webUrl }
  const set = Object.entries(all).filter(([, value]) => value !== undefined)
  const service = await startService({ env: Object.fromEntries(set) as Record<string, string> })
  return { url: service.url, stop: service.close }
}

async function read(...path: string[]): Promise<string> {
  return readFile(join(folder, ...path), 'utf8')
}

async function readJson(...path: string[]) {
  return JSON.parse(await read(...path))
}

test('uses the sample pull requests if no URLs are given', async () => {
  const { places, close } = await openSubjects([], {} as Parameters<typeof openSubjects>[1])
  expect(places).toHaveLength(6)
  await close()
})

test('writes and measures an article about each pull request, and reports the pull requests that failed', async () => {
  expect(written.code).toBe(1)
  expect(written.printed.match(/: written$/gm)).toHaveLength(4)
  expect(written.printed).toMatch(
    /^\| harborline\/turnstile#218 \| 5 \| 1 \| 0 \| 1 \| \d+ \| 200 \| 563 \/ 1800 \| 43 \| 100 % \|/m,
  )
  const { articles, failed, ...settings } = await readJson('newer', 'summary.json')
  expect(articles).toHaveLength(4)
  expect(failed).toEqual([{ pullRequest: 'acme/leaky#2', error: expect.stringContaining('NOT_FOUND') }])
  expect(settings).toMatchObject({ language: 'ja', model: ['fake-model'], promptVersion: expect.any(String) })
  const { pullRequest, address, metrics, content } = await readJson('newer', `${SAMPLE}.json`)
  expect(pullRequest).toBe('harborline/turnstile#218')
  expect(address).toMatch(/\/harborline\/turnstile\/pull\/218$/)
  expect(content.mainChanges).toHaveLength(3)
  expect(metrics).toMatchObject({ citations: 5, quotes: 1, claimsDropped: 0, calls: 1, outputTokens: 200 })
  expect(metrics).toMatchObject({ proseCharacters: 563, proseBudget: 1800, longestSentenceCharacters: 43 })
  expect(metrics.linesRead).toBe(metrics.changedLines)
})

test('keeps labels, milestone and linked issues for the judge', async () => {
  const pull = await readJson('newer', 'acme_leaky_1.pull.json')
  expect(pull).toMatchObject({ labels: ['bug', 'core'], milestone: 'v2', issues: ['#5 It leaks\nSince May.'] })
})

test('keeps the diff for the judge, without the contents of files that the writer never reads', async () => {
  const { title, files } = await readJson('newer', 'tidewater_sluice_340.pull.json')
  expect(title).toBe('Compress responses with zstd when the client accepts it')
  const diffOf = (wanted: string) => files.find(({ path }: { path: string }) => path === wanted)?.diff
  expect(diffOf('go.sum')).toBe('diff --git a/go.sum b/go.sum\n(lockFile: not shown)\n')
  expect(diffOf('go.mod')).toContain('\n@@ ')
})

test('writes the article as Markdown', async () => {
  const text = 'この変更は、利用者にとって分かりやすい動作にするために処理の流れを見直したものである。'
  expect(await read('newer', `${OTHER_SAMPLE}.md`)).toBe(`# ${BETTER}

${text}

> **対象**: ${text}  
> **互換性**: 動作が変わる — ${text}  
> **必要な対応**: なし

## なぜ変えたのか

${text}

> Compare API keys in constant time
> — コミットメッセージ

## ${text.slice(0, 30)}

${text}

*${text}*

変更前 \`src/keys.ts\`

\`\`\`ts
  return keys.find((key) => key.secret === presented)
\`\`\`

変更後 \`src/keys.ts\`

\`\`\`ts
import { createHash, timingSafeEqual } from 'node:crypto'
\`\`\`

## 気をつけること

1. ${text}
`)
})

test('the judge compares two runs in both orders, without knowing which is which', async () => {
  const { requests, printed } = judged
  expect(judged.code).toBe(0)
  expect(requests).toHaveLength(2 * 2 + 1)
  for (const request of requests) {
    expect(promptOf(request)).toContain('diff --git a/')
    expect(promptOf(request)).not.toMatch(/fake-model|promptVersion|pullpress-eval-test|\bolder\b|\bnewer\b/)
  }
  const { tally, pairs, falseClaims, failed } = await readJson('newer', 'verdicts.json')
  expect(failed).toEqual([])
  expect(pairs.map(({ pullRequest, results }: Record<string, unknown>) => [pullRequest, results])).toEqual([
    ['harborline/turnstile#218', { true: 'tie', complete: 'old', clear: 'new', worth: 'new', overall: 'new' }],
    // For this pull request, the judge prefers the first text in both orders, so the result is a tie.
    ['harborline/turnstile#221', { true: 'tie', complete: 'tie', clear: 'tie', worth: 'tie', overall: 'tie' }],
  ])
  expect(tally.overall).toMatchObject({ wins: 1, losses: 0, ties: 1, byOrder: 1, verdictsForNew: 3, preference: 0.5 })
  expect(tally.complete).toMatchObject({ wins: 0, losses: 1, ties: 1, byOrder: 1 })
  expect(tally.true).toMatchObject({ wins: 0, losses: 0, ties: 2, byOrder: 1 })
  expect(falseClaims).toEqual({ new: [], old: [claim, claim] })
  expect(printed).toContain('| overall | 1 | 0 | 1 | 1 | 50 % | 9 % to 91 % |')
  expect(printed).toContain('preferred in 50 % of the pairs (required: 80 %), and by 3 of 4 verdicts')
})

const claim = { pullRequest: 'harborline/turnstile#218', claim: 'a claim', contradiction: 'a line' }

let verdicts = 0

/** A judge that prefers the text with the better title, but for one of the pull requests always the first text. */
const judge: Behaviour = (request, response) => {
  verdicts += 1
  if (verdicts === 1) return answer(response, 'This is no verdict.')
  const [, , articleA = ''] = /BEGIN (\w+) article A\n(.*)\nEND \1 article A/s.exec(promptOf(request)) ?? []
  const isByOrder = promptOf(request).includes('Compare API keys in constant time')
  const best = isByOrder || articleA.includes(BETTER) ? 'A' : 'B'
  const worst = isByOrder ? 'A' : best === 'A' ? 'B' : 'A'
  const { claim: text, contradiction } = claim
  const falseClaims = isByOrder ? [] : [{ article: worst, claim: text, contradiction }]
  const choices = { true: isByOrder ? 'A' : 'tie', complete: worst, clear: best, worth: best, overall: best }
  return answer(response, JSON.stringify({ falseClaims, explanation: 'It has the better title.', ...choices }))
}

test('no file holds the API key, the token of the code host or a secret of the pull request', async () => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(json|md)$/.test(file))
  expect(files.length).toBeGreaterThan(15)
  const pull = await read('newer', 'acme_leaky_1.pull.json')
  expect(pull).toContain('masked secret')
  for (const file of files)
    for (const hidden of [model.env.OPENAI_API_KEY, HOST_TOKEN, secret.secret])
      expect((await read(file)).includes(hidden), `${hidden} in ${file}`).toBe(false)
})

test.each([
  [['--against', 'nowhere'], 'There is no folder nowhere.'],
  [['a/b#1'], 'CODE_HOST_TOKEN is required'],
  [['https://example.com/a/b/pull/1'], 'Not a pull request of https://github.com/'],
  [['--language', 'english'], '--language takes two letters'],
  [['--at-once', '0'], '--at-once takes a number'],
  [['--judge', 'eval-1'], '--judge requires --against'],
])('rejects the arguments %j', async (args, message) => {
  const { signal } = new AbortController()
  await expect(evaluate({ args, env: model.env, signal })).rejects.toThrow(message)
})
