import { HostRateLimited, HostTokenRefused, HostUnavailable } from './errors.ts'

/** Hidden, gone, blocked or withheld by law: to this token it does not exist. */
const ABSENT = [403, 404, 410, 451]
const UNCHANGED = 304

/** An answer with the ETag under which it can be asked for again, or the word that it is as it was. */
export type Conditional<T> = { unchanged: true } | { unchanged: false; etag: string | null; value: T }

/** Not parsed yet: its size decides where that happens. */
export interface HostResponse {
  bytes: Uint8Array
  headers: { etag?: string | undefined; link?: string | undefined; 'x-oauth-scopes'?: string | undefined }
}

/** Octokit hands the body through unparsed here, but types it as if it had parsed it. */
type Call = Promise<{ data: unknown; headers: HostResponse['headers'] }>

export async function answered(call: Call): Promise<HostResponse> {
  const { data, headers } = await call.catch((error: { status?: number; cause?: unknown }) => {
    if (error.cause instanceof HostRateLimited || error.cause instanceof HostUnavailable) throw error.cause
    if (error.status === 401) throw new HostTokenRefused()
    throw new HostUnavailable(`It answered ${error.status}.`, error.status)
  })
  return { bytes: await new Response(data as ReadableStream).bytes(), headers }
}

/** `null` is the code host's word that there is no such thing for this token. */
export async function unlessAbsent(call: Call): Promise<HostResponse | null> {
  try {
    return await answered(call)
  } catch (error) {
    if (error instanceof HostUnavailable && ABSENT.includes(error.status ?? 0)) return null
    throw error
  }
}

export async function conditionally<T>(
  call: Call,
  understand: (answer: HostResponse) => Promise<T>,
): Promise<Conditional<T> | null> {
  try {
    const answer = await unlessAbsent(call)
    return answer && { unchanged: false, etag: etagOf(answer.headers.etag), value: await understand(answer) }
  } catch (error) {
    if (error instanceof HostUnavailable && error.status === UNCHANGED) return { unchanged: true }
    throw error
  }
}

function etagOf(header: string | undefined): string | null {
  return header && header.length <= 200 ? header : null
}
