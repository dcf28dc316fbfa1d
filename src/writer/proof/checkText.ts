import { markdownErrors } from './checkMarkdown.ts'
import { otherLanguageOf } from './languages.ts'
import { repeats } from './repeats.ts'
import type { TextStandards } from './standards.ts'

/** Finds forbidden content in a text. */
export function formErrors(text: string, { hostPrUrl, instructions }: TextStandards): string[] {
  const errors = markdownErrors(text, hostPrUrl)
  return repeats(text, instructions) ? [...errors, 'it repeats the instructions'] : errors
}

/** Like `formErrors`, and also checks the language. Titles are too short for that. */
export async function textErrors(text: string, standards: TextStandards): Promise<string[]> {
  return [...formErrors(text, standards), ...(await languageErrors(text, standards))]
}

export async function languageErrors(text: string, standards: TextStandards): Promise<string[]> {
  const other = await otherLanguageOf(text, standards.language)
  return other ? [`it is ${notIn(standards)} (it looks like "${other}")`] : []
}

export function notIn({ languageName }: Pick<TextStandards, 'languageName'>): string {
  return `not in ${languageName}`
}
