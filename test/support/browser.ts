/** What the browsers of a test file were given to keep, that nobody else may ever see. */
export const keptByBrowsers: string[] = []

/** As much of a browser as pages without scripts need: cookies, redirects, forms. */
export function openBrowser(origin: string, language = 'en') {
  const cookies = new Map<string, string>()

  function keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      const isGone = attributes.some((one) => one === 'Max-Age=0' || one.startsWith('Expires=Thu, 01 Jan 1970'))
      if (isGone) cookies.delete(name)
      else cookies.set(name, value)
      if (value.length > 20) keptByBrowsers.push(value)
    }
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, origin)
    const own = url.origin === origin
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      'accept-language': language,
      ...(own && cookie ? { cookie } : {}),
      ...(init.headers as Record<string, string>),
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    if (own) keep(response)
    return response
  }

  /** Follows where it is sent, as a browser does. */
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
