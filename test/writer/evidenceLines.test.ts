import { expect, test } from 'vitest'
import type { StoredContent } from '../../src/writer/content.ts'
import { evidenceBlocks } from '../../src/writer/render/evidenceBlocks.ts'
import { excerptsOf, withLines } from '../support/rendered.ts'
import { changing, type Written, written } from '../support/writing.ts'

const cite = (side: 'old' | 'new', startLine: number, endLine = startLine) => ({
  ...{ path: 'a.ts', side, startLine, endLine },
})
const kept = (oldNumber: number | null, newNumber: number, text: string) => ({
  ...{ change: 'kept', oldNumber, newNumber, text },
})
const added = (newNumber: number, text: string) => ({ change: 'added', oldNumber: null, newNumber, text })
const removed = (oldNumber: number, text: string) => ({ change: 'removed', oldNumber, newNumber: null, text })

const PATCH = `@@ -8,5 +8,6 @@ function total()
 const prices = read()
-let sum = 0
+let total = 0
+let count = 0
-for (const p of prices) sum += p
+for (const price of prices) total += price
-return sum
+return total
 }`

/** Writes an article about `patch` in which every main change cites these lines. */
function citing(evidence: object[], patch = PATCH): Promise<Written> {
  const reply = changing((good) => ({ mainChanges: good.mainChanges.map((change) => ({ ...change, evidence })) }))
  return written({ pull: { files: [{ filename: 'a.ts', patch }] }, replies: [reply] })
}

const linesOf = (content: StoredContent, excerpts: string | null) =>
  withLines(content, excerpts).mainChanges[0]?.evidence ?? []

test('returns the cited lines of the diff, and the lines of the other side that stand between them', async () => {
  const article = await citing([cite('new', 9), cite('old', 11), cite('new', 10, 12), cite('old', 9, 10)])
  const evidence = linesOf(article.content, await excerptsOf(article))
  expect(evidence.map(({ lines }) => lines)).toEqual([
    [added(9, 'let total = 0')],
    [removed(11, 'return sum')],
    [
      added(10, 'let count = 0'),
      removed(10, 'for (const p of prices) sum += p'),
      added(11, 'for (const price of prices) total += price'),
      removed(11, 'return sum'),
      added(12, 'return total'),
    ],
    [
      removed(9, 'let sum = 0'),
      added(9, 'let total = 0'),
      added(10, 'let count = 0'),
      removed(10, 'for (const p of prices) sum += p'),
    ],
  ])
  expect(evidence.map(({ linesOmitted }) => linesOmitted)).toEqual([0, 0, 0, 0])
  expect(evidence.map(({ lines, linesOmitted, ...citation }) => citation)).toEqual(
    article.content.mainChanges[0]?.evidence,
  )
})

test('returns the cited lines of every kind of claim', async () => {
  const article = await citing([cite('new', 9)])
  const evidence = article.content.mainChanges[0]?.evidence ?? []
  const claim = { text: '合計を数えます。', evidence }
  const content: StoredContent = {
    ...article.content,
    lead: { ...claim, basis: 'diff' },
    impact: {
      ...{ affected: '利用者', compatibility: 'none', reason: '変わりません。', action: null, since: null, evidence },
    },
    reasons: [{ ...claim, basis: 'diff', sources: [] }],
    notablePoints: [{ categories: ['RISK'], point: claim.text, importance: 1, basis: 'diff', evidence }],
    mismatches: [{ ...claim, quote: 'It counts.' }],
  }
  const ja = withLines(content, await excerptsOf({ ...article, content }))
  const claims = [ja.lead, ja.impact, ja.reasons[0], ja.mainChanges[0], ja.notablePoints[0], ja.mismatches[0]]
  for (const claim of claims)
    expect(claim?.evidence).toMatchObject([{ lines: [added(9, 'let total = 0')], linesOmitted: 0 }])
})

test('returns cited lines from the stored excerpts', async () => {
  const { content } = await citing([cite('new', 8, 9)])
  const url = content.mainChanges[0]?.evidence[0]?.url ?? ''
  const lines = [
    { sign: ' ', old: 7, new: 8, text: 'const prices = read()' },
    { sign: '-', old: 9, new: null, text: 'let sum = 0' },
    { sign: '+', old: null, new: 9, text: 'let total = 0' },
  ]
  expect(linesOf(content, JSON.stringify({ [url]: { lines, more: 2 } }))).toMatchObject([
    {
      lines: [kept(7, 8, 'const prices = read()'), removed(9, 'let sum = 0'), added(9, 'let total = 0')],
      linesOmitted: 2,
    },
  ])
})

test('returns null for cited lines that are not stored', async () => {
  const article = await citing([cite('new', 9), cite('new', 10)])
  const { content } = article
  const url = content.mainChanges[0]?.evidence[0]?.url ?? ''
  const excerpts = JSON.parse(await excerptsOf(article))
  const none = { lines: null, linesOmitted: 0 }
  expect(linesOf(content, JSON.stringify({ [url]: excerpts[url] }))).toMatchObject([
    { lines: [added(9, 'let total = 0')], linesOmitted: 0 },
    none,
  ])
  expect(linesOf(content, null)).toMatchObject([none, none])
})

test('the page of the evidence shows invisible characters of cited lines by their code points', async () => {
  const article = await citing([cite('new', 1)], '@@ -0,0 +1 @@\n+a \u202eb')
  const page = evidenceBlocks({ content: article.content, language: 'ja', excerpts: await excerptsOf(article) })
  expect(page).toContain('+ a ⟨U+202E⟩b')
  expect(page).not.toContain('\u202e')
})

test('stores up to 60 lines of a citation and cuts long lines', async () => {
  const lines = Array.from({ length: 100 }, (_, i) => `${i + 1} ${'x'.repeat(i === 0 ? 500 : 300)}`)
  const patch = `@@ -0,0 +1,100 @@\n${lines.map((line) => `+${line}`).join('\n')}`
  const article = await citing([cite('new', 1, 100)], patch)
  const [cited] = linesOf(article.content, await excerptsOf(article))
  expect(cited?.linesOmitted).toBe(40)
  expect(cited?.lines).toHaveLength(60)
  expect(cited?.lines?.[0]).toEqual(added(1, `${lines[0]?.slice(0, 400)}…`))
  expect(cited?.lines?.[59]).toEqual(added(60, lines[59] ?? ''))
})
