import type { TextContext } from './checkContext.ts'
import { markdownErrors } from './checkMarkdown.ts'
import { otherLanguageOf } from './languages.ts'
import { repeats } from './repeats.ts'

/** Finds forbidden content in a text. */
export function formErrors(text: string, { hostPrUrl, instructions }: TextContext): string[] {
  const errors = markdownErrors(text, hostPrUrl)
  return repeats(text, instructions) ? [...errors, 'it repeats the instructions'] : errors
}

/** Like `formErrors`, but also checks the language. Not for titles, which are too short for that. */
export async function textErrors(text: string, context: TextContext): Promise<string[]> {
  return [...formErrors(text, context), ...(await languageErrors(text, context))]
}

export async function languageErrors(text: string, context: TextContext): Promise<string[]> {
  const other = await otherLanguageOf(text, context.language)
  return other ? [`it is ${notIn(context)} (it looks like "${other}")`] : []
}

export function notIn({ languageName }: Pick<TextContext, 'languageName'>): string {
  return `not in ${languageName}`
}
