const WITH_ZONE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -](\d\d|\d{4}) \d\d:\d\d:\d\d GMT$/
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** Reads a date in one of the three forms of RFC 9110, section 5.6.7; undefined for any other text. */
export function parseHttpDate(text: string): Date | undefined {
  const date = new Date(WITHOUT_ZONE.test(text) ? `${text} GMT` : WITH_ZONE.test(text) ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
