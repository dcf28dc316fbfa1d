/** Cuts a text at a length in characters, never inside a surrogate pair. */
export function clip(text: string, maxLength: number): { text: string; truncated: boolean } {
  if (text.length <= maxLength) return { text, truncated: false }
  const cut = text.slice(0, maxLength)
  return { text: cut.isWellFormed() ? cut : cut.slice(0, -1), truncated: true }
}
