import { HostRateLimited, HostTokenRefused, HostUnavailable } from './errors.ts'
import { understood } from './fields.ts'

/** Hidden, gone, blocked or withheld by law: to this token it does not exist. */
const ABSENT = [403, 404, 410, 451]
const UNCHANGED = 304

/** An answer with the ETag under which it can be asked for again, or the word that it is as it was. */
export type Conditional<T> = { unchanged: true } | { unchanged: false; etag: string | null; value: T }

interface Answer<T> {
  data: T
  headers: { etag?: string | undefined; link?: string | undefined }
}

export async function answered<A extends Answer<unknown>>(call: Promise<A>): Promise<A> {
  const answer = await heard(call)
  // Octokit hands a body that is not JSON through as text.
  if (typeof answer.data !== 'object' || answer.data === null)
    throw new HostUnavailable('Its answer cannot be read.', 200)
  return answer
}

/** As `answered`, for an answer that is text. */
export async function answeredText(call: Promise<Answer<unknown>>): Promise<string> {
  const { data } = await heard(call)
  understood(typeof data === 'string')
  return data as string
}

async function heard<A>(call: Promise<A>): Promise<A> {
  return call.catch((error: { status?: number; cause?: unknown }) => {
    if (error.cause instanceof HostRateLimited || error.cause instanceof HostUnavailable) throw error.cause
    if (error.status === 401) throw new HostTokenRefused()
    throw new HostUnavailable(`It answered ${error.status}.`, error.status)
  })
}

/** `null` is the code host's word that there is no such thing for this token. */
export async function unlessAbsent<A extends Answer<unknown>>(call: Promise<A>): Promise<A | null> {
  try {
    return await answered(call)
  } catch (error) {
    if (error instanceof HostUnavailable && ABSENT.includes(error.status ?? 0)) return null
    throw error
  }
}

export async function conditionally<Data, T>(
  call: Promise<Answer<Data>>,
  understand: (answer: Answer<Data>) => T,
): Promise<Conditional<T> | null> {
  try {
    const answer = await unlessAbsent(call)
    return answer && { unchanged: false, etag: etagOf(answer.headers.etag), value: understand(answer) }
  } catch (error) {
    if (error instanceof HostUnavailable && error.status === UNCHANGED) return { unchanged: true }
    throw error
  }
}

function etagOf(header: string | undefined): string | null {
  return header && header.length <= 200 ? header : null
}
