/** A language code in the form of ISO 639-1. The code need not be assigned to a language. */
export const LANGUAGE_CODE = /^[a-z]{2}$/
