import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { samples } from '../../scripts/demo/samples.ts'
import { evaluate } from '../../scripts/eval/evaluate.ts'
import type { StartService } from '../../scripts/eval/lane.ts'
import { type FakeHost, startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import {
  answer,
  type Behaviour,
  behaves,
  type FakeModel,
  type ModelRequest,
  promptOf,
  startFakeModel,
} from '../support/fakeModel.ts'
import { sendRefusal } from '../support/modelServers/refuse.ts'
import { refusal } from '../support/modelServers/rule.ts'
import { planted } from '../support/plantedSecrets.ts'
import { changed } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const HOST_TOKEN = 'host-token-of-the-eval'
const BETTER = '利用者がこれから出会う動作を、最初の一文で伝える見出しにしました。'
const SAMPLE = 'harborline_turnstile_218'
const [secret = { line: '', secret: 'none' }] = planted()

let folder: string
let host: FakeHost
let model: FakeModel
let older: Run
let newer: Run

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

  // The server refuses the first request, and the first answer needs a repair.
  model.next(
    (request, response) => sendRefusal(response, refusal("Unknown parameter: 'store'."), request),
    behaves.changed((good) => ({ ...good, mainChanges: [] })),
  )
  older = await run(['--at-once', '1', '--out', join(folder, 'older')])

  model.always((request, response, good) => {
    if (request.response_format?.json_schema?.schema.properties['overall']) return judge(request, response, good)
    return answer(response, { ...good, aiGeneratedTitle: BETTER })
  })
  const addresses = ['harborline/turnstile#218', `${host.url}/harborline/turnstile/pull/221`]
  const others = ['acme/leaky#1', 'acme/leaky#2']
  const folders = ['--out', join(folder, 'newer'), '--against', join(folder, 'older')]
  newer = await run([...addresses, ...others, ...folders], {
    CODE_HOST_API_URL: host.url,
    CODE_HOST_WEB_URL: host.url,
    CODE_HOST_TOKEN: HOST_TOKEN,
  })
})
afterAll(async () => {
  await Promise.all([model.close(), host.close(), rm(folder, { recursive: true, force: true })])
})

/** Runs the command in this process, so that its services need no embedded database, which is slow to start. */
async function run(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const printed: string[] = []
  const keep = (text: unknown) => printed.push(`${text}`) > 0
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((text) => void keep(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation(() => {}),
    vi.spyOn(process.stdout, 'write').mockImplementation(keep),
  ]
  const { signal } = new AbortController()
  let code = 0
  try {
    const requests = await model.during(async () => {
      code = await evaluate({ args, env: { ...model.env, ...env }, signal, start })
    })
    return { code, printed: printed.join(''), requests }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

const start: StartService = async ({ hostUrl, webUrl = hostUrl, env = {} }) => {
  const { PORT: _, ...settings } = env
  const urls = { CODE_HOST_API_URL: hostUrl, CODE_HOST_WEB_URL: webUrl }
  const set = Object.entries({ ...settings, ...urls }).filter(([, value]) => value !== undefined)
  const service = await startService({ env: Object.fromEntries(set) as Record<string, string> })
  return { url: service.url, stop: service.close, lastLogLines: () => [] }
}

async function read(...path: string[]): Promise<string> {
  return readFile(join(folder, ...path), 'utf8')
}

async function readJson(...path: string[]) {
  return JSON.parse(await read(...path))
}

test('writes and measures an article about each sample', async () => {
  expect(older.code).toBe(0)
  expect(older.printed.match(/^✓ /gm)).toHaveLength(6)
  expect(older.printed).toMatch(
    /^\| harborline\/turnstile#218 \| 5 \| 1 \| 0 \| 1 \| 0 \|.*\| 563 \/ 1800 \| 43 \| 100 % \|/m,
  )
  const { articles, failed, ...settings } = await readJson('older', 'summary.json')
  expect(articles).toHaveLength(6)
  expect(failed).toEqual([])
  expect(settings).toMatchObject({ language: 'ja', model: ['fake-model'], promptVersion: expect.any(String) })
  const { pullRequest, address, metrics, content } = await readJson('older', `${SAMPLE}.json`)
  expect(pullRequest).toBe('harborline/turnstile#218')
  expect(address).toMatch(/\/harborline\/turnstile\/pull\/218$/)
  expect(content.mainChanges).toHaveLength(3)
  expect(metrics).toMatchObject({ citations: 5, quotes: 1, claimsDropped: 0, calls: 1, failedCalls: 0, repairs: 0 })
  expect(metrics).toMatchObject({ proseCharacters: 563, proseBudget: 1800, longestSentenceCharacters: 43 })
  expect(metrics.linesRead).toBe(metrics.changedLines)
})

test('records every call to the model, with repairs and refusals', async () => {
  const { metrics } = await readJson('older', 'tidewater_sluice_340.json')
  expect(metrics).toMatchObject({ calls: 2, failedCalls: 1, repairs: 1 })
  const calls = await readJson('older', 'tidewater_sluice_340.calls.json')
  expect(calls).toMatchObject([
    { status: 400, answer: null, isRepair: false },
    { status: 200, answer: expect.stringContaining('"mainChanges":[]'), isRepair: false },
    { status: 200, answer: expect.stringContaining('aiGeneratedTitle'), isRepair: true },
  ])
  expect(calls.map(({ messages }: ModelRequest) => messages)).toEqual(older.requests.slice(0, 3).map((r) => r.messages))
  const [, , repair] = calls
  expect(metrics.largestPromptTokens).toBe(repair.promptTokens)
  const { metrics: streamed } = await readJson('newer', `${SAMPLE}.json`)
  expect(streamed).toMatchObject({ calls: 1, inputTokens: expect.any(Number), outputTokens: 200 })
})

test('reports articles that could not be written', async () => {
  expect(newer.code).toBe(1)
  const { articles, failed } = await readJson('newer', 'summary.json')
  expect(articles).toHaveLength(3)
  expect(failed).toEqual([{ pullRequest: 'acme/leaky#2', error: expect.stringContaining('404') }])
})

test('keeps labels, milestone and linked issues for the judge', async () => {
  const pull = await readJson('newer', 'acme_leaky_1.pull.json')
  expect(pull).toMatchObject({ labels: ['bug', 'core'], milestone: 'v2', issues: ['#5 It leaks\nSince May.'] })
})

test('keeps the diff for the judge, without files that are never read', async () => {
  const { title, files } = await readJson('older', 'tidewater_sluice_340.pull.json')
  expect(title).toBe('Compress responses with zstd when the client accepts it')
  const diffOf = (wanted: string) => files.find(({ path }: { path: string }) => path === wanted)?.diff
  expect(diffOf('go.sum')).toBe('diff --git a/go.sum b/go.sum\n(lockFile: not shown)\n')
  expect(diffOf('go.mod')).toContain('\n@@ ')
})

test('writes the article as Markdown', async () => {
  const text = 'この変更は、利用者にとって分かりやすい動作にするために処理の流れを見直したものである。'
  expect(await read('older', 'harborline_turnstile_221.md')).toBe(`# ${text}

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

test('compares two runs in both orders, blindly', async () => {
  const requests = newer.requests.filter((request) => promptOf(request).includes('article A'))
  expect(requests).toHaveLength(2 * 2 + 1)
  for (const request of requests) {
    expect(promptOf(request)).toContain('diff --git a/')
    expect(promptOf(request)).not.toMatch(/fake-model|promptVersion|pullpress-eval-test|\bolder\b|\bnewer\b/)
  }
  const { tally, pairs, falseClaims, failed } = await readJson('newer', 'verdicts.json')
  expect(failed).toEqual([])
  expect(pairs.map(({ pullRequest, results }: Record<string, unknown>) => [pullRequest, results])).toEqual([
    ['harborline/turnstile#218', { true: 'tie', complete: 'old', clear: 'new', worth: 'new', overall: 'new' }],
    // The judge prefers A in both orders.
    ['harborline/turnstile#221', { true: 'tie', complete: 'tie', clear: 'tie', worth: 'tie', overall: 'tie' }],
  ])
  expect(tally.overall).toMatchObject({ wins: 1, losses: 0, ties: 1, byOrder: 1, verdictsForNew: 3, preference: 0.5 })
  expect(tally.complete).toMatchObject({ wins: 0, losses: 1, ties: 1, byOrder: 1 })
  expect(tally.true).toMatchObject({ wins: 0, losses: 0, ties: 2, byOrder: 1 })
  expect(falseClaims).toEqual({ new: [], old: [claim, claim] })
  expect(newer.printed).toContain('| overall | 1 | 0 | 1 | 1 | 50 % | 9 % to 91 % |')
  expect(newer.printed).toContain('preferred in 50 % of the pairs (required: 80 %), and by 3 of 4 verdicts')
})

const claim = { pullRequest: 'harborline/turnstile#218', claim: 'a claim', contradiction: 'a line' }

let verdicts = 0

/** Prefers the text with the better title; for one of the pull requests, whichever comes first. */
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

test('no file holds the key, the token of the code host or a secret of the pull request', async () => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(json|md)$/.test(file))
  expect(files.length).toBeGreaterThan(30)
  const pull = await read('newer', 'acme_leaky_1.pull.json')
  expect(pull).toContain('masked secret')
  for (const file of files)
    for (const hidden of [model.env.OPENAI_API_KEY, HOST_TOKEN, secret.secret])
      expect((await read(file)).includes(hidden), `${hidden} in ${file}`).toBe(false)
})

test('compares two runs without writing, and a folder of Markdown with a run', async () => {
  await rename(join(folder, 'newer', 'verdicts.json'), join(folder, 'newer', 'former.json'))
  await rm(join(folder, 'older', `${SAMPLE}.json`))
  const { code, requests } = await run(['--judge', join(folder, 'newer'), '--against', join(folder, 'older')])
  expect(code).toBe(0)
  expect(requests).toHaveLength(4)
  const { tally } = await readJson('newer', 'verdicts.json')
  expect(tally).toEqual((await readJson('newer', 'former.json')).tally)
})

test('the command needs a key', async () => {
  const script = join(import.meta.dirname, '../../scripts/eval.ts')
  const running = promisify(execFile)(process.execPath, [script], { env: {} })
  const stderr = 'OPENAI_API_KEY is not set: there is no model to write articles or to judge them.\n'
  await expect(running).rejects.toMatchObject({ code: 1, stderr })
})

test.each([
  [['--against', 'nowhere'], 'There is no folder nowhere.'],
  [['a/b#1'], 'CODE_HOST_TOKEN is required'],
  [['https://example.com/a/b/pull/1'], 'Not a pull request of https://github.com/'],
  [['--language', 'english'], '--language takes two letters'],
  [['--at-once', '0'], '--at-once takes a number'],
  [['--judge', 'eval-1'], '--judge requires --against'],
])('rejects %j', async (args, message) => {
  const { signal } = new AbortController()
  await expect(evaluate({ args, env: model.env, signal })).rejects.toThrow(message)
})
