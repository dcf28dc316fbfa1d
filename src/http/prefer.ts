/** For how many seconds a caller would wait, by the header `Prefer` (RFC 7240); undefined where they do not say. */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  for (const preference of preferences) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim().toLowerCase())
    if (name === 'respond-async') return 0
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1]
    if (name === 'wait' && seconds !== undefined) return Number(seconds)
  }
  return undefined
}
