/**
 * Length of the part of a text that is searched for first: long enough to distinguish most texts, and short enough that
 * the built-in search is fast on any input.
 */
const SHORT = 100

/**
 * `text.includes(part)` in linear time (Knuth-Morris-Pratt). The built-in search takes half a second for 64 KB of one
 * letter.
 */
export function includes(text: string, part: string): boolean {
  if (part.length <= SHORT || !text.includes(part.slice(0, SHORT))) return text.includes(part.slice(0, SHORT))
  const borders = bordersOf(part)
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== part[matched]) matched = borders[matched - 1] as number
    if (text[at] === part[matched]) matched += 1
    if (matched === part.length) return true
  }
  return false
}

/** For each prefix of `part`, the length of the longest proper prefix that is also its suffix. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  let border = 0
  for (let at = 1; at < part.length; at += 1) {
    while (border > 0 && part[at] !== part[border]) border = borders[border - 1] as number
    if (part[at] === part[border]) border += 1
    borders[at] = border
  }
  return borders
}
