import { languageName } from '../../articles/proof/languages.ts'
import { updateLanguage } from '../../db/users.ts'
import { Problem } from '../../errors.ts'
import { isLocale } from '../locale.ts'
import { ownPath } from '../ownPath.ts'
import { languageIn, type PageHandler } from '../page.ts'

/** The language of the pages and, for somebody with an account, of the articles written for them. */
export const chooseLanguage: PageHandler = async ({ form, viewer }, ctx) => {
  const language = languageIn(form)
  if (!language || !(viewer || isLocale(language)))
    throw new Problem('VALIDATION_ERROR', 'The pages do not speak this language.')
  languageName(language)
  if (viewer) await updateLanguage(ctx.db, viewer.user.id, language, ctx.now())
  return { to: ownPath(form['to']), ...(isLocale(language) && { language }) }
}
