/** Formats a value as Postgres reads it. The driver would format times more slowly, with a time zone. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return arrayText(value)
  return value instanceof Date ? timeText(value) : value
}

/** An array as Postgres writes it. */
function arrayText(values: unknown[]): string {
  const texts = values.map((value) =>
    value === null ? 'null' : `"${String(toWire(value)).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${texts.join(',')}}`
}

let lastTime = Number.NaN
let lastText = ''

/** The last text is cached: most times of one request are equal. */
function timeText(value: Date): string {
  const time = value.getTime()
  if (time !== lastTime) {
    lastText = inPostgresYears(value.toISOString(), value.getUTCFullYear())
    lastTime = time
  }
  return lastText
}

/** Postgres writes years of more than four digits, and those before the year 1, differently than ISO 8601 does. */
function inPostgresYears(text: string, year: number): string {
  if (year >= 1 && year <= 9999) return text
  const rest = text.slice(text.indexOf('-', 1))
  return year > 9999 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}
