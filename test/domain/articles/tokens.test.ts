import { readFile } from 'node:fs/promises'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { tokenCounter } from '../../../src/writer/reading/tokens.ts'
import { pick, seededRandom } from '../../support/seededRandom.ts'

const count = await tokenCounter()
const reference = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

const scripts: Record<string, [first: number, last: number]> = {
  'lower-case letters': [0x61, 0x7a],
  ASCII: [0, 0x7f],
  'Latin letters': [0xc0, 0x24f],
  'combining marks': [0x300, 0x36f],
  Arabic: [0x620, 0x64a],
  Thai: [0xe01, 0xe3a],
  'Unicode spaces': [0x2000, 0x202f],
  kana: [0x3041, 0x30ff],
  'Han characters': [0x4e00, 0x9fff],
  'lone surrogates': [0xd800, 0xdfff],
  emoji: [0x1f300, 0x1f64f],
}

test.each(Object.entries(scripts))('counts the tokens of %s like the reference tokenizer', (_, [first, last]) => {
  const random = seededRandom(first)
  const randomCharacter = (from: number, to: number) =>
    String.fromCodePoint(from + Math.floor(random() * (to - from + 1)))
  for (let round = 0; round < 300; round++) {
    const length = Math.floor(random() * 60)
    const text = Array.from({ length }, () =>
      random() < 0.2 ? pick(random, [' ', '\n', 'a', 'B', '1', '-']) : randomCharacter(first, last),
    )
    expect(count(text.join(''))).toBe(reference(text.join('')))
  }
})

test('counts as many tokens as the reference tokenizer in code, prose and text with special tokens', async () => {
  const code = await readFile(import.meta.filename, 'utf8')
  for (const text of [code, 'この変更は、数え方を改めたものである。', '<|endoftext|> is plain text', ''])
    expect(count(text)).toBe(reference(text))
})

test('counts the tokens of invisible characters', () => {
  expect(count('\0'.repeat(10))).toBeGreaterThan(0)
})
