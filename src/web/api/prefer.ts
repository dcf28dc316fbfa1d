/**
 * How many seconds the caller is willing to wait, by the header `Prefer` (RFC 7240); undefined if not given. With both
 * `respond-async` and `wait`, the response is asynchronous only after the time in `wait`.
 */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  const parsed = preferences.map((preference) => {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim().toLowerCase())
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1]
    return {
      isAsync: name === 'respond-async',
      wait: name === 'wait' && seconds !== undefined ? Number(seconds) : undefined,
    }
  })
  return parsed.find(({ wait }) => wait !== undefined)?.wait ?? (parsed.some(({ isAsync }) => isAsync) ? 0 : undefined)
}
