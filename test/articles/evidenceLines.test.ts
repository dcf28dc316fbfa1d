import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves } from '../support/fakeModel.ts'
import { expectShortTurns } from '../support/longestTurn.ts'

const service = await startWritingService({ SEND_PRIVATE_CODE_TO_MODEL: 'on' })
afterAll(() => service.close())
const { generated, get } = articlesOf(service)
const token = await service.signedUp('reader')
const onPostgres = service.database.env['DATABASE_URL'] !== undefined

interface Cited {
  startLine: number
  endLine: number
  side: 'old' | 'new'
  url: string
  lines?: object[] | null
  linesOmitted?: number
}

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

/** Writes an article about a patch whose first claim cites these lines, and returns the name of the pull request. */
async function written(evidence: object[], patch = PATCH, repository = {}, writer = token): Promise<string> {
  service.model.always(
    behaves.changed((good) => ({ ...good, mainChanges: good.mainChanges.map((change) => ({ ...change, evidence })) })),
  )
  const place = aPull(service, { files: [{ filename: 'a.ts', patch }] }, repository)
  await generated(place, writer)
  return place
}

async function linesOf(place: string, caller?: string): Promise<Cited[]> {
  const { status, body } = await get(place, caller, { evidenceLines: 'true' })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.contents.ja.mainChanges[0].evidence
}

/** Changes the only stored text of an article. */
async function storeAs(
  place: string,
  change: (text: { content: string; excerpts: string | null }) => object,
): Promise<void> {
  const { id } = (await get(place)).body.data
  const { db } = service.ctx
  const text = await db
    .selectFrom('article_texts')
    .where('article_id', '=', id)
    .select(['content', 'excerpts'])
    .executeTakeFirstOrThrow()
  await db.updateTable('article_texts').set(change(text)).where('article_id', '=', id).execute()
}

test('returns the cited lines of the diff with the lines of the other side between them', async () => {
  const place = await written([cite('new', 9), cite('old', 11), cite('new', 10, 12), cite('old', 9, 10)])
  const expected = [
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
  ]
  const { contents, id } = (await get(place)).body.data
  for (const caller of [undefined, token]) {
    const evidence = await linesOf(place, caller)
    expect(evidence.map(({ lines }) => lines)).toEqual(expected)
    expect(evidence.map(({ linesOmitted }) => linesOmitted)).toEqual([0, 0, 0, 0])
    const byId = await service.call('getArticleById', {
      ...{ token: caller, params: { articleId: id }, query: { evidenceLines: 'true', language: 'ja' } },
    })
    expect(byId.body.data.contents.ja.mainChanges[0].evidence).toEqual(evidence)
    expect(evidence.map(({ lines, linesOmitted, ...citation }) => citation)).toEqual(
      contents.ja.mainChanges[0].evidence,
    )
  }
})

test('returns the lines of every kind of claim', async () => {
  const place = await written([cite('new', 9)])
  await storeAs(place, ({ content }) => {
    const text = JSON.parse(content)
    const { evidence } = text.mainChanges[0]
    const claim = { text: '合計を数えます。', evidence }
    return {
      lead: claim.text,
      content: JSON.stringify({
        ...text,
        lead: { ...claim, basis: 'diff' },
        impact: {
          ...{
            affected: '利用者',
            compatibility: 'none',
            reason: '変わりません。',
            action: null,
            since: null,
            evidence,
          },
        },
        reasons: [{ ...claim, basis: 'diff', sources: [] }],
        notablePoints: [{ categories: ['RISK'], point: claim.text, importance: 1, basis: 'diff', evidence }],
        mismatches: [{ ...claim, quote: 'It counts.' }],
      }),
    }
  })
  const { ja } = (await get(place, token, { evidenceLines: 'true' })).body.data.contents
  for (const claim of [ja.lead, ja.impact, ja.reasons[0], ja.mainChanges[0], ja.notablePoints[0], ja.mismatches[0]])
    expect(claim.evidence).toMatchObject([{ lines: [added(9, 'let total = 0')], linesOmitted: 0 }])
})

test('reads stored lines with one number and with both', async () => {
  const place = await written([cite('new', 8, 9)])
  const [{ url = '' } = {}] = await linesOf(place)
  const store = (lines: object[]) => storeAs(place, () => ({ excerpts: JSON.stringify({ [url]: { lines, more: 2 } }) }))
  await store([
    { sign: ' ', number: 8, text: 'const prices = read()' },
    { sign: '-', number: 9, text: 'let sum = 0' },
    { sign: '+', number: 9, text: 'let total = 0' },
  ])
  expect(await linesOf(place)).toMatchObject([
    {
      lines: [kept(null, 8, 'const prices = read()'), removed(9, 'let sum = 0'), added(9, 'let total = 0')],
      linesOmitted: 2,
    },
  ])
  await store([
    { sign: ' ', old: 7, new: 8, text: 'const prices = read()' },
    { sign: '-', old: 9, new: null, text: 'let sum = 0' },
    { sign: '+', old: null, new: 9, text: 'let total = 0' },
  ])
  const [both] = await linesOf(place)
  expect(both?.lines).toEqual([
    kept(7, 8, 'const prices = read()'),
    removed(9, 'let sum = 0'),
    added(9, 'let total = 0'),
  ])
})

test('returns null for lines that are not stored', async () => {
  const place = await written([cite('new', 9), cite('new', 10)])
  const [first] = await linesOf(place)
  await storeAs(place, ({ excerpts }) => ({
    excerpts: JSON.stringify({ [first?.url ?? '']: JSON.parse(excerpts ?? '{}')[first?.url ?? ''] }),
  }))
  const none = { lines: null, linesOmitted: 0 }
  expect(await linesOf(place)).toMatchObject([{ lines: [added(9, 'let total = 0')], linesOmitted: 0 }, none])
  await storeAs(place, () => ({ excerpts: null }))
  expect(await linesOf(place)).toMatchObject([none, none])
})

test('stores up to 60 lines of a citation and cuts long lines', async () => {
  const lines = Array.from({ length: 100 }, (_, i) => `${i + 1} ${'x'.repeat(i === 0 ? 500 : 300)}`)
  const patch = `@@ -0,0 +1,100 @@\n${lines.map((line) => `+${line}`).join('\n')}`
  const [cited] = await linesOf(await written([cite('new', 1, 100)], patch))
  expect(cited?.linesOmitted).toBe(40)
  expect(cited?.lines).toHaveLength(60)
  expect(cited?.lines?.[0]).toEqual(added(1, `${lines[0]?.slice(0, 400)}…`))
  expect(cited?.lines?.[59]).toEqual(added(60, lines[59] ?? ''))
})

test('returns the lines of a private article to members only', async () => {
  const member = await service.signedUp('member')
  const place = await written([cite('new', 9)], PATCH, { private: true, members: ['member'] }, member)
  expect(await linesOf(place, member)).toMatchObject([{ lines: [added(9, 'let total = 0')] }])
  for (const caller of [undefined, token]) {
    const { status, body } = await get(place, caller, { evidenceLines: 'true' })
    expect([status, JSON.stringify(body).includes('let total')]).toEqual([404, false])
  }
})

/** An article whose stored excerpts are too large to be parsed on the event loop. */
async function writtenLarge() {
  const place = await written([cite('new', 9)])
  const expected = await linesOf(place)
  const lines = Array.from({ length: 400_000 }, (_, i) => ({ sign: '+', number: i + 1, text: 'x' }))
  await storeAs(place, ({ excerpts }) => ({
    excerpts: JSON.stringify({ ...JSON.parse(excerpts ?? '{}'), 'https://host.example/other': { lines, more: 0 } }),
  }))
  return { place, expected }
}

test('returns the same lines for large excerpts', async () => {
  const { place, expected } = await writtenLarge()
  expect(await linesOf(place)).toEqual(expected)
})

// The embedded database itself runs on the event loop.
test.runIf(onPostgres)('does not block the event loop for large excerpts', async () => {
  const { place } = await writtenLarge()
  // The first read starts a thread.
  await linesOf(place)
  await expectShortTurns(100, () => linesOf(place))
})
