/** A language code of ISO 639-1, which need not be assigned. */
export const LANGUAGE_CODE = /^[a-z]{2}$/
