import type { Locale } from './locale.ts'

const names = {
  ja: new Intl.DisplayNames('ja', { type: 'language' }),
  en: new Intl.DisplayNames('en', { type: 'language' }),
}
const times = {
  ja: new Intl.DateTimeFormat('ja', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
}

export function languageLabel(code: string, locale: Locale): string {
  return names[locale].of(code) ?? code
}

/** A time as people of this language write it, in UTC. */
export function timeLabel(iso: string, locale: Locale): string {
  return `${times[locale].format(new Date(iso))} UTC`
}
