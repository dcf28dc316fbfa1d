import { expect, test } from 'vitest'
import { ownPath } from '../../../src/web/pages/ownPath.ts'
import { returnPath } from '../../../src/web/pages/wish.ts'

test.each([
  ['/read/me', '/read/me'],
  ['/read/search?q=a%20b', '/read/search?q=a%20b'],
  ['/read/../read/me', '/read/me'],
  ['/read#part', '/read'],
  [undefined, '/read'],
  ['', '/read'],
  ['read', '/read'],
  ['https://evil.example/', '/read'],
  ['//evil.example', '/read'],
  ['/\\evil.example', '/read'],
  ['/\t/evil.example', '/read'],
  ['/.//evil.example', '/read'],
  ['/..//evil.example', '/read'],
  ['/read/..//evil.example', '/read'],
  ['javascript:alert(1)', '/read'],
])('the path of %j on this site is %s', (text, path) => {
  expect(ownPath(text)).toBe(path)
})

test.each([
  ['/read/me', '/read/me'],
  ['/sign-in', '/read'],
  ['/sign-in?for=follow&repository=acme%2Fshop', '/read'],
  ['/read/../sign-in', '/read'],
])('after signing in from %s, the visitor returns to %s', (text, path) => {
  expect(returnPath(text)).toBe(path)
})
