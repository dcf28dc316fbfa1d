import { expect, test } from 'vitest'
import type { FakeDraft } from '../support/fakeModel.ts'
import { changing, lastMessage, type Reply, written } from '../support/writing.ts'

type Change = (good: FakeDraft) => Partial<FakeDraft>

/** Writes an article from a first answer with this change and the answer of the repair turn. */
async function repaired(first: Change, second: Reply) {
  const { content, requests } = await written({ replies: [changing(first), second] })
  expect(requests.length).toBe(2)
  return { content, second: requests[1] }
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

const furtherParts: object[] = [
  { lead: 'text' },
  { mainChanges: { a: 1 } },
  { terms: ['x'] },
  { notablePoints: [{ point: 'x' }] },
]

test.each(furtherParts)('ignores a part that the repair turn did not ask for: %j', async (more) => {
  const { content } = await repaired(
    withoutLines,
    changing(() => more),
  )
  expect(content).toMatchObject({ reasons: [{ basis: 'diff' }], coverage: { claimsDropped: 0 } })
  expect(content.lead?.text).toContain('この変更は')
})

test('a repaired section keeps its place if the repair turn leaves out another section', async () => {
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
    () => JSON.stringify({ mainChanges: [last] }),
  )
  expect(content.mainChanges.map(({ heading }) => heading)).toEqual(['二つ目', '三つ目'])
  expect(content.coverage.claimsDropped).toBe(1)
})

test('asks for the whole answer again if it has no sections, whatever else failed', async () => {
  const { content, second } = await repaired(
    (good) => ({ ...withoutLines(good), mainChanges: [] }),
    (good) => good,
  )
  expect(lastMessage(second)).toContain('Answer again, whole')
  expect(content.mainChanges).toHaveLength(1)
})
