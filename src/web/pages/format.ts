import type { Locale } from './locale.ts'

const names = {
  ja: new Intl.DisplayNames('ja', { type: 'language' }),
  en: new Intl.DisplayNames('en', { type: 'language' }),
}
const dates = {
  ja: new Intl.DateTimeFormat('ja', { dateStyle: 'long', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }),
}
const times = {
  ja: new Intl.DateTimeFormat('ja', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
}
const numbers = { ja: new Intl.NumberFormat('ja'), en: new Intl.NumberFormat('en') }

const labels = new Map<string, string>()

/** The name of a language. Cached, because `Intl.DisplayNames` is slow and there are few languages. */
export function languageLabel(code: string, locale: Locale): string {
  const key = `${locale} ${code}`
  const cached = labels.get(key)
  if (cached !== undefined) return cached
  const label = names[locale].of(code) ?? code
  labels.set(key, label)
  return label
}

/** A date in the format of the locale, in UTC. */
export function dateLabel(time: string | Date, locale: Locale): string {
  return dates[locale].format(new Date(time))
}

/** A date with the time of day, in UTC. */
export function timeLabel(time: string | Date, locale: Locale): string {
  return `${times[locale].format(new Date(time))} UTC`
}

export function numberLabel(value: number, locale: Locale): string {
  return numbers[locale].format(value)
}
