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

/** What a language is called. There are few, and asking for a name takes long. */
export function languageLabel(code: string, locale: Locale): string {
  const key = `${locale} ${code}`
  const known = labels.get(key)
  if (known !== undefined) return known
  const label = names[locale].of(code) ?? code
  labels.set(key, label)
  return label
}

/** A time as people of this language write it, in UTC. */
export function timeLabel(iso: string, locale: Locale): string {
  return `${times[locale].format(new Date(iso))} UTC`
}
