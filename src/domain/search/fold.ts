/**
 * Matches characters that combine with the character before them: marks, and some letters of half-width kana and
 * Hangul.
 */
const COMBINING = '[\\p{M}\\uff9e\\uff9f\\u1160-\\u11ff]'
/** Characters that folding leaves as they are: ASCII without capitals, hiragana, common ideographs, Hangul. */
const UNCHANGED = '[!-@\\[-~、。「」\\u3041-\\u3096ー\\u4e00-\\u9fff\\uac00-\\ud7a3]'
/**
 * Matches a part of a text that is folded at once: unchanged characters and words, white space, or another character
 * with those that combine with it.
 */
const CLUSTER = new RegExp(`(${UNCHANGED}+(?: ${UNCHANGED}+)*)(?!${COMBINING})|\\s+|[^]${COMBINING}*`, 'gu')
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g
const FROM_KATAKANA_TO_HIRAGANA = 0x60

/** Removes the differences that searching ignores: width, case, kind of kana, compatibility forms and white space. */
export function fold(text: string): string {
  return foldWithOrigins(text).text.trimEnd()
}

interface Folded {
  text: string
  /** The position in the original text of the character that is at `index` in the folded text. */
  originOf(index: number): number
}

export function foldWithOrigins(text: string): Folded {
  const parts: string[] = []
  /** For each part, where it starts in the folded text and in the original one, and whether it is unchanged. */
  const starts: number[] = []
  const origins: number[] = []
  const areUnchanged: boolean[] = []
  let length = 0
  let isAfterSpace = true
  for (const { 0: cluster, 1: unchanged, index } of text.matchAll(CLUSTER)) {
    const part = unchanged ?? foldCluster(cluster)
    if (part === '' || (part === ' ' && isAfterSpace)) continue
    isAfterSpace = part.endsWith(' ')
    parts.push(part)
    starts.push(length)
    origins.push(index)
    areUnchanged.push(unchanged !== undefined)
    length += part.length
  }
  const originOf = (index: number) => {
    if (index >= length) return text.length
    const part = lastAtMost(starts, index)
    return (origins[part] ?? 0) + (areUnchanged[part] ? index - (starts[part] ?? 0) : 0)
  }
  return { text: parts.join(''), originOf }
}

/** The position of the last number that is not greater than `value`. */
function lastAtMost(ascending: number[], value: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((ascending[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

const MAX_ENTRIES = 2000
/** Caches folded clusters, because few different clusters change when folded: capitals, katakana, full-width forms. */
const cache = new Map<string, string>()

function foldCluster(cluster: string): string {
  const before = cache.get(cluster)
  if (before !== undefined) return before
  const folded = foldCase(foldExceptCase(cluster))
  if (cache.size < MAX_ENTRIES && cluster.length <= 2) cache.set(cluster, folded)
  return folded
}

/** Converts to lower case, with the usual small sigma instead of the final form. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** Folds everything but capitals, which separate the parts of identifiers. */
export function foldExceptCase(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - FROM_KATAKANA_TO_HIRAGANA))
    .replace(/\s+/g, ' ')
}
