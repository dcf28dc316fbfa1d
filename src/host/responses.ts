import type { HostCredential } from './credential.ts'
import { HostForbidden, HostRateLimited, HostTokenRefused, HostUnavailable } from './errors.ts'
import { authorizationUrlOf } from './singleSignOn.ts'

/** The statuses of resources that are hidden, gone or withheld by law. */
const ABSENT = [404, 410, 451]
export const ABSENT_OR_FORBIDDEN = [403, ...ABSENT]
const UNCHANGED = 304

/** Either a value with the ETag to send in the next request, or `unchanged` since the last response. */
export type Conditional<T> = { unchanged: true } | { unchanged: false; etag: string | null; value: T }

/** A response that is not parsed yet: its size decides whether a thread parses it. */
export interface HostResponse {
  bytes: Uint8Array
  headers: { etag?: string | undefined; link?: string | undefined; 'x-oauth-scopes'?: string | undefined }
}

/** Octokit returns the body unparsed here, although its types say otherwise. */
type Call = Promise<{ data: unknown; headers: HostResponse['headers'] }>

interface Failure {
  status?: number
  cause?: unknown
  response?: { headers?: Record<string, unknown> }
}

export async function toResponse(call: Call): Promise<HostResponse> {
  const { data, headers } = await call.catch((error: Failure) => {
    if (error.cause instanceof HostRateLimited || error.cause instanceof HostUnavailable) throw error.cause
    if (error.status === 401) throw new HostTokenRefused()
    if (error.status === 403) throw new HostForbidden(authorizationUrlOf(error.response?.headers?.['x-github-sso']))
    throw new HostUnavailable(`The code host answered ${error.status}.`, error.status)
  })
  return { bytes: await new Response(data as ReadableStream).bytes(), headers }
}

/**
 * The statuses that mean that a resource is absent. With a token, 403 may be due to that token alone. Without a token,
 * 403 means that the code host has blocked the resource for all users.
 */
export function absentFor({ token }: HostCredential): number[] {
  return token === undefined ? ABSENT_OR_FORBIDDEN : ABSENT
}

/** `null` means that there is no such thing for this token. */
export async function toResponseOrNull(call: Call, absent = ABSENT): Promise<HostResponse | null> {
  const result = await toResponseOrStatus(call, absent)
  return typeof result === 'number' ? null : result
}

/** As `toResponseOrNull`, but returns the status instead of null. */
export async function toResponseOrStatus(call: Call, absent: number[]): Promise<HostResponse | number> {
  return toResponse(call).catch((error) => {
    if (error instanceof HostUnavailable && error.status !== undefined && absent.includes(error.status))
      return error.status
    throw error
  })
}

export async function toConditional<T>(
  call: Call,
  decode: (response: HostResponse) => Promise<T>,
  absent = ABSENT,
): Promise<Conditional<T> | null> {
  try {
    const response = await toResponseOrNull(call, absent)
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
