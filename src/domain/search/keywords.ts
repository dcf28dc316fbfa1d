import { MAX_TERMS } from './query.ts'

const PART = /-?"[^"]*"?|\S+/g
/** Phrases, exclusions and filters, which stay as they are. */
const OPERATOR = /^(?:-?"|-|(?:repo|type|lang):)/i
const HIRAGANA = /\p{sc=Hira}+/gu
const PARTICLE = /^\p{sc=Hira}{1,2}$/u
const KANJI_OR_KATAKANA = /[\p{sc=Han}\p{sc=Kana}]/u
/** English words that do not tell what a text is about. */
const STOP_WORDS = new Set(
  'a about after all an and any are as at be because before been but by can could did do does for from had has have how i if in into is it its last me my no not now of on or our pr prs should since so some than that the their them then there these they this to up us was we were what when where which while who why will with would you your'.split(
    ' ',
  ),
)

/** The words of a question that tell what it is about, as a query of at most MAX_TERMS parts; empty without words. */
export function keywordsOf(question: string): string {
  const parts = question.match(PART) ?? []
  const operators = parts.filter((part) => OPERATOR.test(part))
  const words = new Set(parts.filter((part) => !OPERATOR.test(part)).flatMap(wordsOf))
  return words.size === 0 ? '' : [...operators, ...words].slice(0, MAX_TERMS).join(' ')
}

/** Japanese has no spaces, but hiragana separates most of its words. A single character is often the stem of a verb. */
function wordsOf(part: string): string[] {
  const bare = part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (KANJI_OR_KATAKANA.test(bare))
    return bare
      .replace(HIRAGANA, ' ')
      .split(/[\s。、？！「」（）・]+/)
      .filter((word) => [...word].length > 1)
  return bare === '' || PARTICLE.test(bare) || STOP_WORDS.has(bare.toLowerCase()) ? [] : [bare]
}
