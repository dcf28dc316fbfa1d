/** Characters that take two columns: Chinese, Japanese and Korean. */
export const WIDE =
  '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]'
const MAX_COLUMNS = 100
const wide = new RegExp(WIDE, 'gu')

/** The width to print in: that of the terminal, up to a readable maximum. */
export function pageColumns(): number {
  return Math.min(process.stdout.columns || MAX_COLUMNS, MAX_COLUMNS)
}

export function columnsOf(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0)
}

/** Pads or cuts a text to exactly this many columns; a cut text ends in an ellipsis. */
export function fitted(text: string, columns: number): string {
  const letters = [...text]
  let shown = text
  while (columnsOf(shown) > columns && letters.pop()) shown = `${letters.join('').trimEnd()}…`
  return shown + ' '.repeat(Math.max(columns - columnsOf(shown), 0))
}
