import type { components } from '../../generated/api.ts'
import { lineOf, ScriptError } from './scriptError.ts'

export type Schemas = components['schemas']
export type Api = ReturnType<typeof createApi>

interface Request {
  body?: object
  headers?: Record<string, string>
}

/** Calls the service with a user’s token; throws errors with the message of the service. */
export function createApi(url: string, token: string, signal: AbortSignal) {
  async function send(method: string, path: string, { body, headers }: Request = {}): Promise<Response> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    }).catch((error) => {
      signal.throwIfAborted()
      throw new ScriptError(`The service does not respond: ${lineOf(error)}`)
    })
    if (response.ok) return response
    const { message, error } = (await response.json().catch(() => ({}))) as Partial<Schemas['Failure']>
    throw new ScriptError(`${message ?? 'The service returned an error.'} (${error?.code ?? response.status})`)
  }

  return {
    send,
    /** The `data` of the response envelope. */
    async data<T>(method: string, path: string, request?: Request): Promise<T> {
      const { data } = (await (await send(method, path, request)).json()) as { data: T }
      return data
    },
  }
}
