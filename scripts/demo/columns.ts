/** Letters that take two columns: those of Chinese, Japanese and Korean. */
export const WIDE =
  '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]'
const WIDEST = 100
const wide = new RegExp(WIDE, 'gu')

/** How many columns to print in: the terminal's, but no more than are read with ease. */
export function pageColumns(): number {
  return Math.min(process.stdout.columns || WIDEST, WIDEST)
}

export function columnsOf(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0)
}

/** A text in exactly so many columns: what is too long ends in an ellipsis, what is too short in spaces. */
export function fitted(text: string, columns: number): string {
  const letters = [...text]
  let shown = text
  while (columnsOf(shown) > columns && letters.pop()) shown = `${letters.join('').trimEnd()}…`
  return shown + ' '.repeat(Math.max(columns - columnsOf(shown), 0))
}
