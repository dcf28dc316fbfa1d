/**
 * Removes every `opening` … `closing` with the text in between. An `opening` that nothing closes is returned
 * separately, with the text after it.
 */
export function cutOut(text: string, opening: string, closing: string): { kept: string; unclosed: string } {
  let kept = ''
  let at = 0
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, at)) {
    kept += text.slice(at, start)
    const end = text.indexOf(closing, start + opening.length)
    if (end === -1) return { kept, unclosed: text.slice(start) }
    at = end + closing.length
  }
  return { kept: kept + text.slice(at), unclosed: '' }
}
