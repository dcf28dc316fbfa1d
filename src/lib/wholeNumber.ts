/** Whether a text is a whole number in canonical decimal form: no sign, exponent, fraction, space or leading zero. */
export function isWholeNumber(text: string): boolean {
  return /^(0|[1-9]\d*)$/.test(text)
}
