import { Problem } from '../../errors.ts'

interface LanguageQuery {
  lang?: string
  language?: string
}

/** The language to filter by. Wherever there is such a parameter, both of its names work: `lang` and `language`. */
export function languageFilter({ lang, language }: LanguageQuery): string | undefined {
  if (lang !== undefined && language !== undefined && lang !== language)
    throw new Problem(
      'VALIDATION_ERROR',
      'The parameters lang and language name different languages. Send one of them.',
      { details: { issues: [{ in: 'querystring', path: '/lang', message: 'must be equal to language' }] } },
    )
  return language ?? lang
}
