import { expect, test } from 'vitest'
import { parseAnswer } from '../../src/writer/parseAnswer.ts'

const schema = {
  type: 'object',
  properties: { text: { type: 'string' }, kind: { type: 'string', enum: ['a', 'b'] } },
  required: ['text'],
  additionalProperties: false,
}
const parsed = (content: string) => parseAnswer({ content, refusal: null, cutOff: false }, schema)

const readable: Record<string, [content: string, text: string]> = {
  'plain JSON': ['{"text": "x"}', 'x'],
  fences: ['```json\n{"text": "x"}\n```', 'x'],
  'thoughts before it': ['<think>Is it {"text": "no"}?</think>\n{"text": "x"}', 'x'],
  'a text about thoughts': ['{"text": "Strip </think> from answers"}', 'Strip </think> from answers'],
  'thoughts before a text about them': ['<think>Hm {</think>{"text": "Strip </think>"}', 'Strip </think>'],
  'sentences around it': ['Here it is: {"text": "x"} I hope it helps.', 'x'],
}
test.each(Object.entries(readable))('reads the JSON of an answer with %s', (_, [content, text]) => {
  expect(parsed(content)).toEqual({ value: { text } })
})

test.each([
  ['no JSON', 'Sorry.', true],
  ['another form', '{"title": "x"}', true],
  ['a value outside an enumeration', '{"text": "x", "kind": "rumour"}', false],
])('rejects an answer with %s', (_, content, isMisfit) => {
  expect(parsed(content)).toMatchObject({ isMisfit })
})
