import { parseCookie, stringifySetCookie } from 'cookie'

const SESSION = 'pullpress_session'
const SIGNING_IN = 'pullpress_signing_in'
const LANGUAGE = 'pullpress_language'
const YEAR_SECONDS = 365 * 24 * 60 * 60
const SIGNING_IN_SECONDS = 10 * 60

/**
 * The name of a cookie. Over https it gets the prefix `__Host-`: browsers accept such a cookie only over https and from
 * this host, not from another host of the domain. Without https they would reject it.
 */
function nameOf(cookie: typeof SESSION | typeof SIGNING_IN, isSecure: boolean): string {
  return isSecure ? `__Host-${cookie}` : cookie
}

/** The cookies in a `Cookie` header. */
export function cookiesOf(header: string | undefined, isSecure: boolean) {
  const cookies = parseCookie(header ?? '')
  return {
    session: cookies[nameOf(SESSION, isSecure)] || undefined,
    signingIn: cookies[nameOf(SIGNING_IN, isSecure)],
    language: cookies[LANGUAGE],
  }
}

interface CookieValues {
  session?: { token: { reveal(): string }; expiresAt: Date } | null
  signingIn?: string | null
  language?: string
}

/** `Set-Cookie` headers; null deletes a cookie. Scripts cannot read any of them. */
export function setCookies({ session, signingIn, language }: CookieValues, isSecure: boolean): string[] {
  const common = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const set: string[] = []
  if (session !== undefined)
    set.push(
      stringifySetCookie({
        name: nameOf(SESSION, isSecure),
        value: session?.token.reveal() ?? '',
        expires: session?.expiresAt ?? new Date(0),
        ...common,
      }),
    )
  if (signingIn !== undefined)
    set.push(
      stringifySetCookie({
        name: nameOf(SIGNING_IN, isSecure),
        value: signingIn ?? '',
        maxAge: signingIn === null ? 0 : SIGNING_IN_SECONDS,
        ...common,
      }),
    )
  if (language !== undefined)
    set.push(stringifySetCookie({ name: LANGUAGE, value: language, maxAge: YEAR_SECONDS, ...common }))
  return set
}
