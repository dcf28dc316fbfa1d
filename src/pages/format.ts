import type { Locale } from './locale.ts'

const names = {
  ja: new Intl.DisplayNames('ja', { type: 'language' }),
  en: new Intl.DisplayNames('en', { type: 'language' }),
}
const times = {
  ja: new Intl.DateTimeFormat('ja', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
}

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

/** A time in the format of the locale, in UTC. */
export function timeLabel(iso: string, locale: Locale): string {
  return `${times[locale].format(new Date(iso))} UTC`
}
