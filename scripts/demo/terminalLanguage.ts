import { isLanguageCode } from '../../src/lib/languageCode.ts'

/** The language of the terminal by the variables of POSIX, such as `ja` for `ja_JP.UTF-8`; English for `C` and without any. */
export function terminalLanguage({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string {
  const [code = ''] = (LC_ALL || LC_MESSAGES || LANG || '').toLowerCase().split(/[_.@-]/)
  return isLanguageCode(code) ? code : 'en'
}
