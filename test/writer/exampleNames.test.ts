import { expect, test } from 'vitest'
import type { CheckContext } from '../../src/writer/proof/checkContext.ts'
import { unknownNames } from '../../src/writer/proof/exampleNames.ts'

const lines = ['came(option)', 'two()'].map((text, i) => ({ sign: '+' as const, old: null, new: i + 1, text }))
const shown = {
  lines: new Map([['src/counter.ts', lines]]),
  headings: ['class CounterBase {'],
  passages: [],
} as Partial<CheckContext> as CheckContext

const examples: [text: string, language: string, unknown: string[]][] = [
  ['const counted = came(option)', 'ts', []],
  ['new CounterBase()', 'ts', []],
  [`came("any words", \`Hello \${option}\`) // at all`, 'ts', []],
  [`came(\`Hello \${invented}\`)`, 'ts', ['invented']],
  ['for item in came():\n  two(item)', 'python', []],
  ['for item in inventedList:\n  two(item)', 'python', ['inventedList']],
  ['came.inventedField = two', 'ts', ['inventedField']],
  ['counted = came(option)', 'python', []],
  ['invented_option = true', 'toml', ['invented_option']],
]

test.each(examples)('finds the invented names in the example %j, written in %s', (text, language, unknown) => {
  expect(unknownNames({ text, language }, shown)).toEqual(unknown)
})
