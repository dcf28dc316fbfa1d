import { expect, test } from 'vitest'
import { PromptRefused } from '../../src/model/errors.ts'
import { type FakeDraft, promptOf } from '../support/fakeModel.ts'
import { changed } from '../support/pulls.ts'
import { changing, lastMessage, type Reply, written } from '../support/writing.ts'

const JAPANESE = 'この変更は、数え方を改めて、同じものを二度数えないようにしたものです。'
const patch = ['@@ -10,3 +10,4 @@ class Counter', ' same()', '-gone()', '+came(option)', '+\ttoo()', ' end()'].join(
  '\n',
)
const at = '2026-01-01T00:00:00Z'
const pull = {
  title: 'Count once',
  body: 'Items were counted twice\nwhen a page was reloaded. It adds a flag --strict.',
  files: [changed('src/counter.ts', { patch, additions: 2, deletions: 1 })],
  commits: [{ message: 'fix: remember what was counted', author: 'a' }],
  comments: [{ author: 'b', body: 'Short note.', at }],
  reviews: [{ author: 'c', body: 'This needs a limit, or the memory grows without end.', at }],
}
const evidence = [{ path: 'src/counter.ts', side: 'new', startLine: 11, endLine: 11 }]

type Change = (good: FakeDraft) => Partial<FakeDraft>

/** Writes an article from a valid draft with this change. */
const write = (change: Change, ...later: Reply[]) => written({ pull, replies: [changing(change), ...later] })
const reason = (fields: object) => () => ({
  reasons: [{ text: JAPANESE, basis: 'stated', sources: [], evidence: [], ...fields }],
})
const quoting = (quote: string, kind = 'description') => reason({ sources: [{ kind, quote }] })

test('the prompt numbers context lines on both sides, so that a citation of old lines may span them', async () => {
  const cited = [{ path: 'src/counter.ts', side: 'old', startLine: 10, endLine: 12 }]
  const { content, requests } = await write((good) => ({ lead: { ...good.lead, evidence: cited } }))
  expect(requests.map(promptOf)[0]).toContain(
    ['10 10   same()', '11    - gone()', '   11 + came(option)', '   12 +   too()', '12 13   end()'].join('\n'),
  )
  expect(content.lead?.evidence).toMatchObject(cited)
})

const quotes: Record<string, [quote: string, kind: string, stored: object]> = {
  'the description over a line break': [
    'Items were counted twice when a page was reloaded.',
    'description',
    { kind: 'description', quote: 'Items were counted twice when a page was reloaded.' },
  ],
  'a review': ['This needs a limit, or the memory grows', 'review', { kind: 'review' }],
  'a source of another kind than it names': ['fix: remember what was counted', 'comment', { kind: 'commit' }],
  'a whole short comment': ['Short note.', 'comment', { kind: 'comment', quote: 'Short note.' }],
}

test.each(Object.entries(quotes))('accepts a quote of %s', async (_, [quote, kind, stored]) => {
  const { content, requests } = await write(quoting(quote, kind))
  const sources = content.reasons[0]?.sources
  expect(sources).toMatchObject([stored])
  expect(sources?.[0]?.url).toMatch(/^https?:/)
  expect(content.backgroundAndPurpose).toBe(JAPANESE)
  expect(requests.length).toBe(1)
})

const unprovenReasons: Record<string, () => Partial<FakeDraft>> = {
  'a quote with one letter changed': quoting('Items were counted twise when a page was reloaded.'),
  'a quote that is too short': quoting('counted twice'),
  'neither a quote nor lines': reason({}),
  'no lines, although it is inferred': reason({
    basis: 'inferred',
    sources: [{ kind: 'description', quote: 'Items were counted twice when a page was reloaded.' }],
  }),
}

test.each(Object.entries(unprovenReasons))('drops a reason with %s after one repair turn', async (_, change) => {
  const { content, requests } = await write(change, changing(change))
  expect(content).toMatchObject({ reasons: [], backgroundAndPurpose: null, coverage: { claimsDropped: 1 } })
  expect(requests.length).toBe(2)
})

test('a repair turn asks only for the items that failed, and the other items are kept', async () => {
  const bad = quoting('Nobody ever wrote these words anywhere at all.')
  const { content, requests } = await write(
    (good) => ({ ...bad(), notablePoints: [...good.notablePoints, { ...good.notablePoints[0], evidence: [] }] }),
    changing(() => ({
      ...quoting('This needs a limit, or the memory grows', 'review')(),
      notablePoints: [],
      mainChanges: [],
    })),
  )
  const [first, second] = requests
  expect(lastMessage(second)).toContain('these parts put right: reasons[0], notablePoints[1]')
  expect(second?.messages.slice(0, 2)).toEqual(first?.messages)
  expect(second?.response_format).toEqual(first?.response_format)
  expect(content.reasons[0]?.sources).toMatchObject([{ kind: 'review' }])
  expect(content.notablePoints).toHaveLength(1)
  expect(content.mainChanges).toHaveLength(1)
})

const wrong = { quote: 'It adds a flag --strict.', text: JAPANESE, evidence }
const confirming = (mismatches: object[]) => () => JSON.stringify({ mismatches })

test('shows a mismatch between description and diff if a second model call confirms it', async () => {
  const { content, requests } = await write(() => ({ mismatches: [wrong] }), confirming([wrong]))
  expect(content.mismatches).toMatchObject([{ quote: 'It adds a flag --strict.', text: JAPANESE }])
  expect(requests.length).toBe(2)
  const [first, second] = requests
  expect(second?.messages.slice(0, 2)).toEqual(first?.messages)
  expect(lastMessage(second)).toContain('> It adds a flag --strict.')
})

const refuse: Reply = () => {
  throw new PromptRefused('The model refuses this prompt.')
}

test.each<[string, Reply]>([
  ['the second call denies', confirming([])],
  ['the second call fails to confirm', () => 'sorry'],
  ['the second call refuses', refuse],
])('drops a mismatch that %s', async (_, second) => {
  const { content, requests } = await write(() => ({ mismatches: [wrong] }), second)
  expect(content.mismatches).toEqual([])
  expect(content.coverage.claimsDropped).toBe(1)
  expect(requests.length).toBe(2)
})

test('makes no second call for a mismatch whose quote is not in the description', async () => {
  const { content, requests } = await write(() => ({
    mismatches: [{ ...wrong, quote: 'This needs a limit, or the memory grows without end.' }],
  }))
  expect([content.mismatches, requests.length]).toEqual([[], 1])
})

test('sorts notable points by importance and keeps three, or five if the change is breaking', async () => {
  const points = (good: FakeDraft) => [5, 1, 4, 2, 3, 5].map((importance) => ({ ...good.notablePoints[0], importance }))
  const usual = await write((good) => ({ notablePoints: points(good) }))
  expect(usual.content.notablePoints.map(({ importance }) => importance)).toEqual([1, 2, 3])
  const breaking = await write((good) => ({
    notablePoints: points(good),
    impact: { ...good.impact, compatibility: 'breaking' },
  }))
  expect(breaking.content.notablePoints).toHaveLength(5)
})

test('turns an impact of "none" into "behavior" if the article contains a warning', async () => {
  const { content } = await write((good) => ({ impact: { ...good.impact, compatibility: 'none' } }))
  expect(content.impact?.compatibility).toBe('behavior')
  const quiet = await write((good) => ({ impact: { ...good.impact, compatibility: 'none' }, notablePoints: [] }))
  expect(quiet.content.impact?.compatibility).toBe('none')
})

test('names a release only if the pull request does', async () => {
  const since = (text: string) => (good: FakeDraft) => ({ impact: { ...good.impact, since: text } })
  const named = { ...pull, body: 'For release 4.2.0, as agreed.' }
  const link = '[4.2.0](https://evil.example)'
  const sinceOf = async (subject: typeof pull & { milestone?: string }, ...replies: Reply[]) =>
    (await written({ pull: subject, replies })).content.impact?.since
  expect(await sinceOf(pull, changing(since('4.2.0')))).toBeNull()
  expect(await sinceOf(named, changing(since('4.2.0')))).toBe('4.2.0')
  const naming = (patch: string) => ({ ...pull, files: [{ filename: 'version.txt', patch }] })
  expect(await sinceOf(naming('@@ -1 +1,2 @@\n a\n+4.2.0'), changing(since('4.2.0')))).toBe('4.2.0')
  expect(await sinceOf(naming('@@ -1,2 +1 @@\n a\n-4.2.0'), changing(since('4.2.0')))).toBeNull()
  expect(await sinceOf(named, changing(since(link)))).toBeNull()
  expect(await sinceOf({ ...pull, milestone: '5.0' })).toBe('5.0')
})

test('removes Markdown marks from titles, and cuts titles that are still too long after a repair turn', async () => {
  const { content } = await write(() => ({ aiGeneratedTitle: '`came` が二度数えない' }))
  expect(content.aiGeneratedTitle).toBe('came が二度数えない')
  const cutFrom = async (aiGeneratedTitle: string) => {
    const long = () => ({ aiGeneratedTitle })
    return (await write(long, changing(long))).content.aiGeneratedTitle
  }
  expect(await cutFrom('長い題名'.repeat(20))).toHaveLength(60)
  expect(await cutFrom(`${'題'.repeat(58)}😀と長い題名`)).toBe(`${'題'.repeat(58)}…`)
})

test('drops the last sentences of a lead that is too long', async () => {
  const { content } = await write((good) => ({ lead: { ...good.lead, text: JAPANESE.repeat(12) } }))
  expect(content.lead?.text.length).toBeLessThanOrEqual(220)
  expect(content.lead?.text).toMatch(/。$/)
})
