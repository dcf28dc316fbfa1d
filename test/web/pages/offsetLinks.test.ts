import { expect, test } from 'vitest'
import type { Visit } from '../../../src/web/pages/page.ts'
import { offsetLinks } from '../../../src/web/pages/views/offsetLinks.ts'

test.each([
  [{}, true, ['?liked=20']],
  [{ liked: '20' }, true, ['', '?liked=40']],
  [{ liked: '40' }, false, ['?liked=20']],
  [{ liked: '980' }, true, ['?liked=960', '?liked=1000']],
  [{ liked: '1000' }, true, ['?liked=980']],
  [{ liked: '5000' }, true, ['?liked=980']],
])('links from %j to the pages beside it, more: %s', (query, hasMore, queries) => {
  const links = String(offsetLinks({ query, locale: 'en' } as unknown as Visit, 'liked', hasMore))
  const paths = [...links.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)
  expect(paths).toEqual(queries.map((to) => `/read/me${to}#liked`))
})
