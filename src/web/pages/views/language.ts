import { Problem } from '../../../errors.ts'
import { isLocale } from '../locale.ts'
import { ownPath } from '../ownPath.ts'
import type { PageHandler } from '../page.ts'

/** Sets the language of the pages, not of the articles. */
export const setLanguage: PageHandler = async ({ form }) => {
  const { language, to } = form
  if (!isLocale(language)) throw new Problem('VALIDATION_ERROR', 'The pages are not available in this language.')
  return { to: ownPath(to), language }
}
