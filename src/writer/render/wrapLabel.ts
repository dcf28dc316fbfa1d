const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303F\uFF01-\uFF60]/u
const HALF_WIDTH_KANA = /[\uFF61-\uFF9F]/
const BROAD = /[A-Z@%&mw]/
const NARROW = /[ijltfrI !'(),.:;|[\]]/
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })

/** The width of a text in em. It is an estimate, because the reader's fonts are unknown. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (WIDE.test(character) && !HALF_WIDTH_KANA.test(character)) width += 1
    else width += BROAD.test(character) ? 0.66 : NARROW.test(character) ? 0.35 : 0.55
  }
  return width
}

/**
 * Breaks a label into as few lines as fit, of about the same width. `widths` holds the maximum width in em of a single
 * line, of each of two lines, and so on. The end of a longer label is cut off.
 */
export function wrapLabel(label: string, widths: number[]): string[] {
  const units = unitsOf(label)
  const max = Math.max(...widths)
  const longest = Math.max(...units.map(widthOf))
  for (const [i, width] of widths.entries()) {
    // Allow a wider line rather than break a name.
    const lines = linesOf(units, Math.max(width, Math.min(longest, max)))
    if (lines.length <= i + 1) return balanced(units, lines, Math.max(...lines.map(widthOf)))
  }
  const lines = linesOf(units, max)
  return [...lines.slice(0, widths.length - 1), cut(lines[widths.length - 1] ?? '', max)]
}

/** Evens out the lines: narrows them as long as their number stays the same. */
function balanced(units: string[], lines: string[], width: number): string[] {
  let best = lines
  const longest = Math.max(...units.map(widthOf))
  for (let narrower = width - 0.5; narrower > longest; narrower -= 0.5) {
    const next = linesOf(units, narrower)
    if (next.length > lines.length) break
    best = next
  }
  return best
}

function linesOf(units: string[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const unit of units.flatMap((unit) => fitting(unit, width))) {
    if (line && widthOf((line + unit).trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += unit
  }
  return [...lines, line.trimEnd()]
}

/** Where to break a unit that is longer than a line: first at slashes, then between the parts of a name. */
const BREAKS = [/(?<=\/)/, /(?<=[._:-])|(?<=[a-z0-9])(?=[A-Z])/]

function fitting(unit: string, width: number, level = 0): string[] {
  if (widthOf(unit.trimEnd()) <= width) return [unit]
  const breaks = BREAKS[level]
  if (!breaks) return Array.from(graphemes.segment(unit), ({ segment }) => segment)
  return unit.split(breaks).flatMap((part) => fitting(part, width, level + 1))
}

function cut(line: string, width: number): string {
  let kept = ''
  for (const { segment } of graphemes.segment(line)) {
    if (widthOf(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

const OPENS = /[([{「『（【〈《“‘]$/
/** Closing punctuation, particles and endings in hiragana, and marks that must not begin a line. */
const CONTINUES = /^(?:[\p{Script=Hiragana}ー々、。，．・：；？！…）」』】〉》”’]|[!-/:-@[-`{-~])/u
const PARTICLE = /^\p{Script=Hiragana}/u
const LATIN = /[!-~]$/
const STARTS_LATIN = /^[!-~]/
const ONE_KANJI = /^\p{Script=Han}$/u
const ENDS_IN_KANJI = /\p{Script=Han}$/u

/** Parts of a label that should not be broken: words with the particles and punctuation that belong to them. */
function unitsOf(label: string): string[] {
  const units: string[] = []
  for (const { segment } of segmenter.segment(label)) {
    const last = units.at(-1)
    if (last !== undefined && belongTogether(last, segment)) units[units.length - 1] = last + segment
    else units.push(segment)
  }
  return units
}

function belongTogether(before: string, after: string): boolean {
  if (after.trim() === '') return true
  if (before.endsWith(' ')) return PARTICLE.test(after)
  if (OPENS.test(before) || CONTINUES.test(after)) return true
  return (LATIN.test(before) && STARTS_LATIN.test(after)) || (ENDS_IN_KANJI.test(before) && ONE_KANJI.test(after))
}
