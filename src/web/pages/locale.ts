import { en } from './texts/en.ts'
import { ja, type Texts } from './texts/ja.ts'

/** The texts of the pages in each supported language. */
export const texts: Record<'ja' | 'en', Texts> = { ja, en }

export type Locale = keyof typeof texts

export const LOCALES = Object.keys(texts) as Locale[]

export function isLocale(code: string | undefined): code is Locale {
  return code !== undefined && Object.hasOwn(texts, code)
}
