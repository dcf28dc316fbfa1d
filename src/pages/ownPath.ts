const ANYWHERE = 'http://own'

/** Where to go on our own site, as somebody's form or address says; the front page where it leads anywhere else. */
export function ownPath(text: string | undefined): string {
  const url = text?.startsWith('/') ? URL.parse(text, ANYWHERE) : null
  const isOwn = url?.origin === ANYWHERE && !url.pathname.startsWith('//')
  return isOwn ? `${url.pathname}${url.search}` : '/read'
}
