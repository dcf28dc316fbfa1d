import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { tokenBound } from '../../src/web/mcp/tokenBound.ts'
import { pick, seededRandom } from '../support/seededRandom.ts'

const tokensOf = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

const alphabets: Record<string, string[]> = {
  'lower-case letters': [...'abcdefghijklmnopqrstuvwxyz'],
  'words with contractions': [...'abcdefghilmnoprstuvwy', ' ', "'s", "'re", "'ll", "n't"],
  ASCII: Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  'rare pairs': [...'qjzxkQJZXK', ' ', "'"],
  kana: Array.from({ length: 0xbf }, (_, i) => String.fromCharCode(0x3041 + i)),
  'Han characters': Array.from({ length: 0x5200 }, (_, i) => String.fromCharCode(0x4e00 + i)),
  'Japanese with letters': [...'この変更は、数え方を改めた「値」である。ー', 'value', ' ', "'", 'count'],
  Hangul: Array.from({ length: 0x2ba4 }, (_, i) => String.fromCharCode(0xac00 + i)),
  'every plane': Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(0x80 + i * 371)),
  emoji: Array.from({ length: 0x2ff }, (_, i) => String.fromCodePoint(0x1f300 + i)),
  'full-width letters': Array.from({ length: 0xee }, (_, i) => String.fromCharCode(0xff01 + i)),
  punctuation: [...'.,:;-–—…’“”()[]{}"\\/ \n\r\t'],
}

test.each(Object.entries(alphabets))('the upper bound is not below the token count of random %s', (_, alphabet) => {
  const random = seededRandom(alphabet.length)
  for (let round = 0; round < 1500; round++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 40) }, () => pick(random, alphabet)).join('')
    for (const one of [text, JSON.stringify(text)])
      expect(tokenBound(one), JSON.stringify(one)).toBeGreaterThanOrEqual(tokensOf(one))
  }
})

test('the tokenizer has the tokens that the bound relies on: pairs of letters, and the first two bytes of characters', () => {
  const tokens = new Set(
    ranks.map((token) => (typeof token === 'string' ? Buffer.from(token) : Buffer.from(token)).toString('latin1')),
  )
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => tokenBound(letter.repeat(3)) === 2)
  expect(letters.length).toBeGreaterThan(20)
  for (const first of [' ', ...letters]) for (const second of letters) expect(tokens.has(first + second)).toBe(true)
  let checked = 0
  for (let code = 0x800; code < 0x10000; code++) {
    const character = String.fromCharCode(code)
    if ((code >= 0xd800 && code < 0xe000) || tokenBound(character) > 2) continue
    checked += 1
    expect(tokens.has(Buffer.from(character).toString('latin1').slice(0, 2)), code.toString(16)).toBe(true)
  }
  expect(checked).toBeGreaterThan(20_000)
})
