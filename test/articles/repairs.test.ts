import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { answer, type Behaviour, behaves, type FakeDraft, type ModelRequest } from '../support/fakeModel.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { model } = service
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

type Change = (good: FakeDraft) => Partial<FakeDraft>

/** Writes an article from two answers, and returns its Japanese text and the second request. */
async function repaired(first: Change, second: Behaviour) {
  model.next(
    behaves.changed((good) => ({ ...good, ...first(good) })),
    second,
  )
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check the body
  let content: any
  const requests = await model.during(async () => {
    content = (await generated(aPull(service), token)).contents.ja
  })
  expect(requests.length).toBe(2)
  return { content, second: requests[1] as ModelRequest }
}

const withoutLines = ({ reasons = [] }: FakeDraft) => ({
  reasons: reasons.map((reason) => ({ ...reason, evidence: [] })),
})
const section = ({ mainChanges }: FakeDraft, heading: string, more = {}) => ({
  ...mainChanges[0],
  heading,
  description: `${heading}。${mainChanges[0]?.['description']}`,
  ...more,
})
const headingsOf = ({ mainChanges }: { mainChanges: { heading: string }[] }) =>
  mainChanges.map(({ heading }) => heading)

const furtherParts: object[] = [
  { lead: 'text' },
  { mainChanges: { a: 1 } },
  { terms: ['x'] },
  { notablePoints: [{ point: 'x' }] },
]

test.each(furtherParts)('ignores a part that the repair turn did not ask for: %j', async (more) => {
  const { content } = await repaired(
    withoutLines,
    behaves.changed((good) => ({ ...good, ...more })),
  )
  expect(content).toMatchObject({ reasons: [{ basis: 'diff' }], coverage: { claimsDropped: 0 } })
  expect(content.lead.text).toContain('この変更は')
})

test('puts a repaired section in its own place if the model leaves out another', async () => {
  const elsewhere = [{ path: 'src/app.ts', side: 'new', startLine: 500, endLine: 500 }]
  const empty = { kind: 'code', before: null, after: null, caption: '', example: null, table: null }
  let last: unknown
  const { content } = await repaired(
    (good) => {
      last = section(good, '三つ目')
      const mainChanges = [
        section(good, '一つ目', { evidence: elsewhere }),
        section(good, '二つ目'),
        section(good, '三つ目', { figures: [empty] }),
      ]
      return { mainChanges }
    },
    (_, response) => answer(response, { mainChanges: [last] } as FakeDraft),
  )
  expect(headingsOf(content)).toEqual(['二つ目', '三つ目'])
  expect(content.coverage.claimsDropped).toBe(1)
})

test('asks for the whole answer again if it has no sections, whatever else failed', async () => {
  const { content, second } = await repaired(
    (good) => ({ ...withoutLines(good), mainChanges: [] }),
    behaves.changed((good) => good),
  )
  expect(second.messages.at(-1)?.content).toContain('Answer again, whole')
  expect(content.mainChanges).toHaveLength(1)
})
