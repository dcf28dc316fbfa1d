import { readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimateTokens } from '../../src/web/mcp/tokenEstimate.ts'
import { pick, seededRandom } from '../support/seededRandom.ts'

const tokensOf = (text: string) => countTokens(text, { disallowedSpecial: new Set() })
const fileOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').slice(0, 60_000)

test.each([
  ['English', fileOf('README.md')],
  ['Japanese', fileOf('src/web/pages/texts/ja.ts')],
  ['code', fileOf('src/web/mcp/serveMcp.ts')],
  ['YAML', fileOf('openapi.yaml')],
  ['hashes', fileOf('package-lock.json')],
  ['JSON', JSON.stringify(Object.entries(process.versions).map((version) => ({ version, text: fileOf('README.md') })))],
])('the estimate of tokens is not too low, and at most a third too high, for %s', (_, text) => {
  const ratio = estimateTokens(text) / tokensOf(text)
  expect(ratio).toBeGreaterThan(1)
  expect(ratio).toBeLessThan(1.34)
})

const alphabets: Record<string, string[]> = {
  'lower-case letters': [...'abcdefghijklmnopqrstuvwxyz'],
  ASCII: Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  kana: Array.from({ length: 0xbf }, (_, i) => String.fromCharCode(0x3041 + i)),
  'Han characters': Array.from({ length: 0x5200 }, (_, i) => String.fromCharCode(0x4e00 + i)),
  Hangul: Array.from({ length: 0x2ba4 }, (_, i) => String.fromCharCode(0xac00 + i)),
  'every plane': Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(0x80 + i * 371)),
  emoji: Array.from({ length: 0x2ff }, (_, i) => String.fromCodePoint(0x1f300 + i)),
}

test.each(Object.entries(alphabets))('random %s have at most five times as many tokens as estimated', (_, alphabet) => {
  const random = seededRandom(alphabet.length)
  for (let round = 0; round < 200; round++) {
    const words = Array.from({ length: 50 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 20) }, () => pick(random, alphabet)).join(''),
    )
    const text = words.join(' ')
    expect(tokensOf(text), text).toBeLessThanOrEqual(5 * estimateTokens(text))
  }
})
