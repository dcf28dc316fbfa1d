import { parseCookie, stringifySetCookie } from 'cookie'

const SESSION = 'pullpress_session'
const SIGNING_IN = 'pullpress_signing_in'
const LANGUAGE = 'pullpress_language'
const YEAR_SECONDS = 365 * 24 * 60 * 60
const SIGNING_IN_SECONDS = 10 * 60

/** The session token in a `Cookie` header. */
export function sessionCookie(header: string): string | undefined {
  return parseCookie(header)[SESSION] || undefined
}

export function cookiesOf(header: string | undefined) {
  const cookies = parseCookie(header ?? '')
  return { session: cookies[SESSION] || undefined, signingIn: cookies[SIGNING_IN], language: cookies[LANGUAGE] }
}

interface CookieValues {
  session?: { token: { reveal(): string }; expiresAt: Date } | null
  signingIn?: string | null
  language?: string
}

/** `Set-Cookie` headers; null deletes a cookie. Scripts cannot read any of them. */
export function setCookies({ session, signingIn, language }: CookieValues, isSecure: boolean): string[] {
  const common = { httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const set: string[] = []
  if (session !== undefined)
    set.push(
      stringifySetCookie({
        name: SESSION,
        value: session?.token.reveal() ?? '',
        path: '/',
        expires: session?.expiresAt ?? new Date(0),
        ...common,
      }),
    )
  if (signingIn !== undefined)
    set.push(
      stringifySetCookie({
        name: SIGNING_IN,
        value: signingIn ?? '',
        path: '/sign-in',
        maxAge: signingIn === null ? 0 : SIGNING_IN_SECONDS,
        ...common,
      }),
    )
  if (language !== undefined)
    set.push(stringifySetCookie({ name: LANGUAGE, value: language, path: '/', maxAge: YEAR_SECONDS, ...common }))
  return set
}
