import { type Sent, sendOnce } from './sendOnce.ts'

/** Values of the cookies that test browsers received. Closing a service checks that none is in its log or database. */
export const keptByBrowsers: string[] = []

/** A minimal browser: cookies, redirects and forms, no scripts. */
export function openBrowser(origin: string, language = 'en') {
  const cookies = new Map<string, string>()

  function storeCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      const isGone = attributes.some(
        (attribute) => attribute === 'Max-Age=0' || attribute.startsWith('Expires=Thu, 01 Jan 1970'),
      )
      if (isGone) cookies.delete(name)
      else cookies.set(name, value)
      if (value.length > 20) keptByBrowsers.push(value)
    }
  }

  async function ask(path: string, init: Sent = {}): Promise<Response> {
    const url = new URL(path, origin)
    const isSameOrigin = url.origin === origin
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'accept-language': language, ...(isSameOrigin && cookie ? { cookie } : {}), ...init.headers }
    const response = await sendOnce(url, { ...init, headers })
    if (isSameOrigin) storeCookies(response)
    return response
  }

  /** Follows redirects. */
  async function follow(response: Response): Promise<Response> {
    const location = response.headers.get('location')
    return location === null ? response : follow(await ask(new URL(location, origin).href))
  }

  return {
    cookies,
    ask,
    visit: async (path: string) => follow(await ask(path)),
    async submit(path: string, fields: Record<string, string>, headers: Record<string, string> = { origin }) {
      return follow(await ask(path, { method: 'POST', headers, body: new URLSearchParams(fields) }))
    },
  }
}
