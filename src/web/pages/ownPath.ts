const PLACEHOLDER_ORIGIN = 'http://own'

/** Prevents open redirects: returns the given path if it is on this site, otherwise the front page. */
export function ownPath(text: string | undefined): string {
  const url = text?.startsWith('/') ? URL.parse(text, PLACEHOLDER_ORIGIN) : null
  const isOwn = url?.origin === PLACEHOLDER_ORIGIN && !url.pathname.startsWith('//')
  return isOwn ? `${url.pathname}${url.search}` : '/read'
}
