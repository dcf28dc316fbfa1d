const MAX_LENGTH = 2000

/** The URL in a header `X-GitHub-SSO: required; url=…`, only if it is safe to show as a link. */
export function authorizationUrlOf(header: unknown): string | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined
  const [, text = ''] = /^required; *url=([!-~]+)$/.exec(header) ?? []
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' && !url.username && !url.password && url.href.length <= MAX_LENGTH
  return isSafe ? url.href : undefined
}
