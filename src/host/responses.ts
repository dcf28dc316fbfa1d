import { HostRateLimited, HostTokenRefused, HostUnavailable } from './errors.ts'

/** Hidden, gone, blocked or withheld by law: for this token it does not exist. */
const ABSENT = [403, 404, 410, 451]
const UNCHANGED = 304

/** A response with its ETag for the next request, or that nothing has changed since the last one. */
export type Conditional<T> = { unchanged: true } | { unchanged: false; etag: string | null; value: T }

/** Not parsed yet: the size decides whether a thread does that. */
export interface HostResponse {
  bytes: Uint8Array
  headers: { etag?: string | undefined; link?: string | undefined; 'x-oauth-scopes'?: string | undefined }
}

/** Octokit returns the body unparsed here, although its types say otherwise. */
type Call = Promise<{ data: unknown; headers: HostResponse['headers'] }>

export async function toResponse(call: Call): Promise<HostResponse> {
  const { data, headers } = await call.catch((error: { status?: number; cause?: unknown }) => {
    if (error.cause instanceof HostRateLimited || error.cause instanceof HostUnavailable) throw error.cause
    if (error.status === 401) throw new HostTokenRefused()
    throw new HostUnavailable(`The code host answered ${error.status}.`, error.status)
  })
  return { bytes: await new Response(data as ReadableStream).bytes(), headers }
}

/** `null` means that there is no such thing for this token. */
export async function toResponseOrNull(call: Call, absent = ABSENT): Promise<HostResponse | null> {
  try {
    return await toResponse(call)
  } catch (error) {
    if (error instanceof HostUnavailable && absent.includes(error.status ?? 0)) return null
    throw error
  }
}

export async function toConditional<T>(
  call: Call,
  decode: (response: HostResponse) => Promise<T>,
): Promise<Conditional<T> | null> {
  try {
    const response = await toResponseOrNull(call)
    return response && { unchanged: false, etag: etagOf(response.headers.etag), value: await decode(response) }
  } catch (error) {
    if (error instanceof HostUnavailable && error.status === UNCHANGED) return { unchanged: true }
    throw error
  }
}

function etagOf(header: string | undefined): string | null {
  return header && header.length <= 200 ? header : null
}

export function withEtag<Options extends { headers: object }>(options: Options, etag: string | null): Options {
  return etag === null ? options : { ...options, headers: { ...options.headers, 'if-none-match': etag } }
}
