import { en } from './texts/en.ts'
import { ja } from './texts/ja.ts'

/** What the pages themselves say, in the languages they speak. */
export const texts = { ja, en }

export type Locale = keyof typeof texts
export type Texts = typeof ja

export const LOCALES = Object.keys(texts) as Locale[]

export function isLocale(code: string | undefined): code is Locale {
  return code !== undefined && Object.hasOwn(texts, code)
}
