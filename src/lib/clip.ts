/** Cuts a text at a length in characters, never inside a surrogate pair. */
export function clip(text: string, maxLength: number): { text: string; truncated: boolean } {
  if (text.length <= maxLength) return { text, truncated: false }
  const splitsPair = (text.codePointAt(maxLength - 1) ?? 0) > 0xffff
  return { text: text.slice(0, splitsPair ? maxLength - 1 : maxLength), truncated: true }
}
