const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const CODE = /^[a-z]{2}$/

/** Whether a text is a language code of ISO 639-1 that is assigned to a language. */
export function isLanguageCode(text: string): boolean {
  return CODE.test(text) && english.of(text) !== undefined
}
