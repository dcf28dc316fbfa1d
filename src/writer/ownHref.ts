/** Leaves out characters that Markdown renderers and URL parsers read in different ways, such as a backslash before @. */
const PLAIN = /^[\w\-.~:/?#@!$&+,=%]+$/

/** The address as a browser would open it, where it leads to `host`; undefined for all others. */
export function ownHref(address: string, host: string): string | undefined {
  const url = PLAIN.test(address) ? URL.parse(address) : null
  if (!url || url.host !== host || url.username !== '' || url.password !== '') return undefined
  return ['http:', 'https:'].includes(url.protocol) ? url.href : undefined
}
