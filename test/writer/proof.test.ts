import { expect, test } from 'vitest'
import { BadAnswer } from '../../src/writer/errors.ts'
import { changed } from '../support/pulls.ts'
import { changing, failed, lastMessage, type Reply, written } from '../support/writing.ts'

const patch = ['@@ -10,3 +10,4 @@ export class Counter', ' same', '-gone', '+came', '+too', ' end', ''].join('\n')
const files = [
  changed('src/counter.ts', { patch: patch.trimEnd(), additions: 2, deletions: 1 }),
  { filename: 'src/moved.ts', previous_filename: 'src/old.ts', status: 'renamed', additions: 0, deletions: 0 },
  changed('package-lock.json'),
]
const JAPANESE = 'この変更は、数え方を改めて、同じものを二度数えないようにしたものである。'

interface Cited {
  path?: string
  side?: string
  startLine?: number | null
  endLine?: number | null
}
const citing = (cited: Cited, fileName = cited.path ?? 'src/counter.ts') => ({
  heading: '二度数えない',
  fileName,
  changeTypes: ['FIX'],
  description: JAPANESE,
  basis: 'diff',
  figures: [],
  evidence: [{ path: 'src/counter.ts', side: 'new', startLine: 11, endLine: 12, ...cited }],
})
const saying = (...mainChanges: ReturnType<typeof citing>[]) => changing(() => ({ mainChanges, notablePoints: [] }))
const write = (...replies: Reply[]) => written({ pull: { files }, replies })

test('the prompt numbers lines on both sides, and shows no lines of skipped files', async () => {
  const { requests } = await write()
  const prompt = lastMessage(requests[0])
  expect(prompt).toContain(
    [
      '## File: src/counter.ts (modified)',
      '@@ export class Counter',
      '10 10   same',
      '11    - gone',
      '   11 + came',
      '   12 + too',
      '12 13   end',
    ].join('\n'),
  )
  expect(prompt).toContain('- src/moved.ts | renamed from src/old.ts | +0 -0 | source | no lines')
  expect(prompt).toContain('- package-lock.json | modified | +1 -1 | lockFile | not shown: lockFile')
  expect(prompt).not.toContain('package-lock.json (modified)')
})

const validCitations: Record<string, Cited> = {
  'an added line': { startLine: 11, endLine: 11 },
  'a range over context': { startLine: 10, endLine: 13 },
  'a removed line': { side: 'old', startLine: 11, endLine: 11 },
  'a range of the old side over context': { side: 'old', startLine: 10, endLine: 12 },
  'a file without lines': { path: 'src/moved.ts', startLine: 0, endLine: 0 },
  'line numbers of a file without lines': { path: 'src/moved.ts', startLine: 3, endLine: 4 },
}

test.each(Object.entries(validCitations))('accepts a citation of %s', async (_, cited) => {
  const { content, requests } = await write(saying(citing(cited)))
  const wholeFile = cited.path ? { startLine: null, endLine: null } : {}
  expect(content.mainChanges[0]?.evidence).toMatchObject([{ path: 'src/counter.ts', ...cited, ...wholeFile }])
  expect(content.coverage.claimsDropped).toBe(0)
  expect(requests.length).toBe(1)
})

const invalidCitations: Record<string, [Cited, string?]> = {
  'a file that is not in the diff': [{ path: 'src/ghost.ts' }],
  'a line before the hunk': [{ startLine: 9, endLine: 11 }],
  'a line after the hunk': [{ startLine: 13, endLine: 14 }],
  'a line after the hunk on the old side': [{ side: 'old', startLine: 12, endLine: 13 }],
  'a file with lines, without line numbers': [{ startLine: 0, endLine: 0 }],
  'a reversed range': [{ startLine: 12, endLine: 11 }],
  'lines of a file that was not shown': [{ path: 'package-lock.json', startLine: 1, endLine: 1 }],
  'a file other than its own': [{}, 'src/moved.ts'],
  'a line number beyond any file': [{ startLine: 1, endLine: 2_000_000_000 }],
}

test.each(Object.entries(invalidCitations))(
  'asks the model once to correct a claim that cites %s, then drops and counts the claim',
  async (_, [cited, fileName]) => {
    const bad = citing(cited, fileName)
    const { content, requests } = await write(saying(citing({}), bad), saying(bad))
    expect(content.mainChanges).toHaveLength(1)
    expect(content.coverage.claimsDropped).toBe(1)
    expect(requests.length).toBe(2)
    expect(lastMessage(requests[1])).toContain('mainChanges[1]:')
  },
)

test('keeps a corrected claim', async () => {
  const { content } = await write(saying(citing({ path: 'src/ghost.ts' })), saying(citing({})))
  expect(content.coverage.claimsDropped).toBe(0)
})

test('fails if no main change passes the checks', async () => {
  const ghost = saying(citing({ path: 'src/ghost.ts' }))
  const { error, requests } = await failed(write(ghost, ghost))
  expect(error).toBeInstanceOf(BadAnswer)
  expect(requests.length).toBe(2)
})

test('keeps valid claims when the second response is unusable', async () => {
  const { content } = await write(saying(citing({}), citing({ path: 'src/ghost.ts' })), () => 'sorry')
  expect([content.mainChanges.length, content.coverage.claimsDropped]).toEqual([1, 1])
})

test('treats a file line that looks like a diff header as a file line', async () => {
  const tricky = ['@@ -1,3 +1,3 @@', ' a', '--- b/x', '+++ b/y', '-@@ -9 +9 @@', '+@@ -8 +8 @@'].join('\n')
  const { requests } = await written({
    pull: { files: [changed('a.sql', { patch: tricky, additions: 2, deletions: 2 })] },
  })
  expect(lastMessage(requests[0])).toContain(
    ['1 1   a', '2   - -- b/x', '  2 + ++ b/y', '3   - @@ -9 +9 @@', '  3 + @@ -8 +8 @@'].join('\n'),
  )
})

test('line separators in a hunk heading do not hide lines', async () => {
  for (const heading of ['function a() { //\u2028 x', 'a\rb']) {
    const hiding = ['@@ -1 +1 @@', '-a', '+b', `@@ -9 +9 @@ ${heading}`, '-c', '+evil()'].join('\n')
    const file = changed('src/a.ts', { patch: hiding, additions: 2, deletions: 2 })
    const { requests } = await written({ pull: { files: [file] } })
    expect(lastMessage(requests[0])).toContain('  9 + evil()')
  }
})

test('marks a file as partly read if the code host counts more lines than it shows', async () => {
  const short = changed('src/a.ts', { patch: '@@ -1,9 +1,9 @@\n-a\n+b', additions: 5, deletions: 5 })
  const { content } = await written({ pull: { files: [short] } })
  expect(content.coverage.files[0]).toMatchObject({ state: 'partlyRead', reason: 'noPatch' })
})

const titles = ['Docker image build cache 最適化', 'React Server Components 対応', '複数行文字列処理修正及改善']

test.each(titles)('accepts %s as a Japanese title', async (aiGeneratedTitle) => {
  const { content } = await write(changing(() => ({ aiGeneratedTitle })))
  expect([content.aiGeneratedTitle, content.generator.calls]).toEqual([aiGeneratedTitle, 1])
})

const withLead = (text: string) => changing((good) => ({ lead: { ...good.lead, text: `${JAPANESE}\n\n${text}` } }))

test.each([
  ['emphasis marks', '*a_'.repeat(500)],
  ['square brackets', '[a]('.repeat(200)],
  ['angle brackets', 'a<'.repeat(200)],
  ['backticks and backslashes', '`a` '.repeat(300)],
  ['lines', '- a\n'.repeat(300)],
])('asks the model to correct a text with too many %s, and names the reason', async (marks, text) => {
  const { requests } = await write(withLead(text))
  expect(lastMessage(requests[1])).toContain(`it holds more ${marks} than a text needs`)
})

test.each(['wss://evil.example/x', 'git+ssh://evil.example/x', '| a | b |\n|---|---|\n| c | d |'])(
  'asks the model to correct a text with %j',
  async (text) => {
    const { requests } = await write(withLead(text))
    expect(requests.length).toBe(2)
  },
)
