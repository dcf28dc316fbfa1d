import { expect, test } from 'vitest'
import { terminalLanguage } from '../../scripts/demo/terminalLanguage.ts'

test.each([
  [{}, 'en'],
  [{ LANG: 'ja_JP.UTF-8' }, 'ja'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'POSIX' }, 'en'],
  [{ LANG: 'de' }, 'de'],
  [{ LANG: 'ja_JP.UTF-8', LC_ALL: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'ja_JP' }, 'ja'],
  [{ LANG: 'ja_JP', LC_ALL: '' }, 'ja'],
])('the language of a terminal with %j is %s', (env, language) => {
  expect(terminalLanguage(env)).toBe(language)
})
