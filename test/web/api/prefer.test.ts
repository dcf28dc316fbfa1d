import { expect, test } from 'vitest'
import { preferredWait } from '../../../src/web/api/prefer.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['return=minimal', undefined],
  ['wait=10', 10],
  ['WAIT = "10"', 10],
  ['wait=0', 0],
  ['wait=10; foo', 10],
  ['wait=ten', undefined],
  ['wait=-1', undefined],
  ['wait=1234567890', undefined],
  ['respond-async', 0],
  ['Respond-Async', 0],
  ['respond-async, wait=10', 10],
  ['wait=10, respond-async', 10],
  ['wait=ten, respond-async', 0],
  [['respond-async', 'wait=10'], 10],
])('the preferred wait of %j is %s', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds)
})
