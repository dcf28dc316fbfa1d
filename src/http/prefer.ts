/**
 * For how many seconds a caller would wait, by the header `Prefer` (RFC 7240); undefined where they do not say. Who wants
 * to be answered later and says for how long to wait is answered later than that.
 */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  const said = preferences.map((preference) => {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim().toLowerCase())
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1]
    return {
      isAsync: name === 'respond-async',
      wait: name === 'wait' && seconds !== undefined ? Number(seconds) : undefined,
    }
  })
  return said.find(({ wait }) => wait !== undefined)?.wait ?? (said.some(({ isAsync }) => isAsync) ? 0 : undefined)
}
