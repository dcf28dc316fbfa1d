import { expect, test } from 'vitest'
import type { StoredContent } from '../../src/writer/content.ts'
import { readingMinutes } from '../../src/writer/render/readingTime.ts'

/** An article with this lead and a code figure of so many lines. */
function anArticle(lead: string, codeLines = 0): StoredContent {
  const figure = { kind: 'code', before: null, after: { lines: Array(codeLines).fill('') } }
  const change = { heading: '', description: '', figures: [figure] }
  const parts = { lead: { text: lead }, impact: null, reasons: [], backgroundAndPurpose: '', mainChanges: [change] }
  return { ...parts, notablePoints: [], mismatches: [], terms: [] } as unknown as StoredContent
}

test.each([
  ['no text', anArticle(''), 1],
  ['2,500 Japanese characters', anArticle('数える'.repeat(833)), 5],
  ['the same with a space after each', anArticle('数 え る '.repeat(833)), 5],
  ['1,100 English words', anArticle('word '.repeat(1100)), 5],
  ['200 lines of code', anArticle('', 200), 5],
  ['all of these', anArticle(`${'数える'.repeat(833)}${' word'.repeat(1100)}`, 200), 15],
])('the reading time of %s', (_, content, minutes) => {
  expect(readingMinutes(content)).toBe(minutes)
})
