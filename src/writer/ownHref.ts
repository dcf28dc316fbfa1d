/**
 * Allows only characters that Markdown renderers and URL parsers interpret alike, so not, for example, a backslash
 * before @.
 */
const PLAIN = /^[\w\-.~:/?#@!$&+,=%]+$/

/** The URL as a browser would open it if it leads to `host`; otherwise undefined. */
export function ownHref(text: string, host: string): string | undefined {
  const url = PLAIN.test(text) ? URL.parse(text) : null
  if (!url || url.host !== host || url.username !== '' || url.password !== '') return undefined
  return ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}
