import { Problem } from '../../errors.ts'
import { isLocale } from '../locale.ts'
import { ownPath } from '../ownPath.ts'
import type { PageHandler } from '../page.ts'

/** The language of the pages themselves. */
export const chooseLanguage: PageHandler = async ({ form }) => {
  const { language, to } = form
  if (!isLocale(language)) throw new Problem('VALIDATION_ERROR', 'The pages do not speak this language.')
  return { to: ownPath(to), language }
}
