import { expect, test } from 'vitest'
import type { FakePull, FakeRepository } from '../../scripts/fakeHost/fakeRepository.ts'
import { promptOf } from '../support/fakeModel.ts'
import { added, changed } from '../support/pulls.ts'
import { expectConsistent, LIMITS, sizeOf } from '../support/reading.ts'
import { written } from '../support/writing.ts'

const at = '2026-01-01T00:00:00Z'
const BUDGET = LIMITS.tokensPerCall

/** Writes an article within narrow limits. */
async function write(pull: Partial<FakePull>, repository: Partial<FakeRepository> = {}) {
  const { content, requests } = await written({ pull, repository, limits: LIMITS })
  return { content, requests, prompts: requests.map(promptOf) }
}

test('skips files that do not fit into the last part, and reports them as skipped', async () => {
  const files = Array.from({ length: 40 }, (_, i) => added(`src/file${i}.ts`, 120))
  const { content, requests } = await write({ files: [...files, added('src/giant.ts', 3000)] })
  const reasons = new Set(content.coverage.files.map(({ reason }) => reason))
  expect(reasons).toEqual(new Set([null, 'budget']))
  expect(content.coverage.read).toBeGreaterThan(3)
  expect(content.coverage.skipped).toBeGreaterThan(3)
  expect(requests.length).toBeLessThanOrEqual(12)
  for (const request of requests) expect(sizeOf(request)).toBeLessThanOrEqual(BUDGET)
  expectConsistent(content.coverage)
})

test('partly reads a file that is larger than one part', async () => {
  const { content } = await write({ files: [added('src/giant.ts', 2500)] })
  expect(content.coverage.files[0]).toMatchObject({ state: 'partlyRead', reason: 'budget' })
})

test('cuts overlong lines and marks the file as partly read', async () => {
  const { content, requests } = await write({
    files: [added('src/long.py', 2, () => `x = "${'ab '.repeat(2000)}"`)],
  })
  expect(content.coverage.files[0]).toMatchObject({ state: 'partlyRead', reason: 'longLines' })
  expect(sizeOf(requests[0])).toBeLessThan(BUDGET)
})

test('prompts about more than 3,000 files stay within the budget, and the coverage counts every file', async () => {
  const files = Array.from({ length: 3000 }, (_, i) => changed(`packages/p${i % 40}/src/module-${i}.ts`))
  const { content, requests, prompts } = await write({ files, changedFiles: 3100, diff: null })
  for (const request of requests) expect(sizeOf(request)).toBeLessThanOrEqual(BUDGET)
  expect(content.coverage).toMatchObject({ changedFiles: 3100, notListed: 100 })
  expectConsistent(content.coverage)
  expect(prompts.at(-1)).toMatch(/- packages\/p7\/src\/: 75 files, \+75 -75/)
})

test('the coverage lists all of 3,000 paths with 150 characters each', async () => {
  const files = Array.from({ length: 3000 }, (_, i) => changed(`src/${i}/`.padEnd(147, 'folder/').concat('.ts')))
  const { content } = await write({ files, diff: null })
  expect(content.coverage).toMatchObject({ changedFiles: 3000, notListed: 0 })
})

test('reads a long conversation up to the budget and reports how much was read', async () => {
  const comments = Array.from({ length: 200 }, (_, i) => ({
    author: 'someone',
    body: `Remark ${i}: `.padEnd(300, 'a word or two, '),
    at,
  }))
  const { content, requests } = await write({ body: 'A reason. '.repeat(3000), comments, files: [changed('a.ts')] })
  expect(content.coverage.description).toBe('partlyRead')
  expect(content.coverage.comments.total).toBe(200)
  expect(content.coverage.comments.read).toBeGreaterThan(1)
  expect(content.coverage.comments.read).toBeLessThan(50)
  expect(sizeOf(requests[0])).toBeLessThanOrEqual(BUDGET)
})

test('reads 150,000 changed lines of a file up to the budget', async () => {
  const { content } = await write({ files: [added('data.py', 150_000, (i) => String(i % 10))], diff: null })
  expect(content.coverage.files[0]).toMatchObject({ state: 'partlyRead', reason: 'budget' })
})

test('with a long conversation, no prompt exceeds the budget for any length of the diff', async () => {
  const body = 'A reason among many others. '.repeat(400)
  const comments = Array.from({ length: 30 }, () => ({ author: 'a', body: 'word '.repeat(60), at }))
  for (let lines = 60; lines <= 160; lines += 10) {
    const { requests } = await write({ body, comments, files: [added('src/a.ts', lines)] })
    for (const request of requests) expect(sizeOf(request)).toBeLessThanOrEqual(BUDGET)
  }
})

const sentences = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `${word} number ${i} explains something different.`).join('\n')

test.each(['a', '題', '👩‍👩‍👧 '])(
  'leaves room for notes if the conversation uses all of its budget and labels consist of %s',
  async (letter) => {
    const { content, prompts } = await write(
      {
        title: letter.repeat(250).slice(0, 250).toWellFormed(),
        body: `Fixes #2, fixes #3.\n${sentences(400, 'Body')}`,
        labels: Array.from({ length: 100 }, (_, i) => `${i} ${letter.repeat(90)}`.slice(0, 100).toWellFormed()),
        commits: Array.from({ length: 100 }, (_, i) => ({
          message: `fix: ${i}\n\n${sentences(3, 'Commit')}`,
          author: 'a',
        })),
        comments: Array.from({ length: 50 }, (_, i) => ({ author: 'b', body: sentences(5, `Comment ${i}`), at })),
        files: Array.from({ length: 40 }, (_, i) => added(`packages/p${i}/some/long/folder/name${i}/file.ts`, 20)),
      },
      { issues: [2, 3].map((number) => ({ number, title: 'Issue', body: sentences(100, 'Issue') })) },
    )
    expect(content.coverage.files[0]?.state).toBe('read')
    expect(prompts.length).toBeGreaterThan(2)
    const [, notes = ''] = prompts.at(-1)?.split('\n# Notes') ?? []
    expect(notes.match(/^> note: /gm)?.length).toBeGreaterThan(3)
  },
)

test('reads source code rather than a long document if not both fit', async () => {
  const sources = Array.from({ length: 12 }, (_, i) => added(`src/f${i}/a.ts`, 60))
  const document = added('docs/big.md', 3000, (i) => `Sentence ${i}${' of a long document'.repeat(i % 4)}`)
  const { content } = await write({ files: [...sources, document] })
  const { files } = content.coverage
  expect(files.slice(0, -1).filter(({ state }) => state !== 'read')).toEqual([])
  expect(files.at(-1)?.state).toBe('partlyRead')
})

test('shows the beginning of a long issue, and also the issue after it', async () => {
  const body = 'The same item is counted twice; here is how to reproduce it. '.repeat(150)
  const issues = [
    { number: 2, title: 'Counted twice', body },
    { number: 3, title: 'Memory', body: 'Short report of the cause.' },
  ]
  const { prompts } = await write({ body: 'Fixes #2, fixes #3.', files: [changed('src/a.ts')] }, { issues })
  expect(prompts[0]).toMatch(/\[Issue #2 by .*\]\n> Counted twice\n/)
  expect(prompts[0]).toContain('> Short report of the cause.')
})
