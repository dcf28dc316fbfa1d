import type { components } from '../../generated/api.ts'
import { DemoFailure, lineOf } from './failure.ts'

export type Schemas = components['schemas']

interface Ask {
  body?: object | undefined
  headers?: Record<string, string>
  signal?: AbortSignal
}

export type Api = ReturnType<typeof createApi>

/** Calls the service with a user’s token; throws errors with the message of the service. */
export function createApi(url: string, token: string, signal: AbortSignal) {
  async function send(method: string, path: string, { body, headers, signal: until }: Ask = {}): Promise<Response> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: until ? AbortSignal.any([signal, until]) : signal,
    }).catch((error) => {
      if (signal.aborted || until?.aborted) throw error
      throw new DemoFailure(`The service does not respond: ${lineOf(error)}`)
    })
    if (!response.ok) throw new DemoFailure(await messageOf(response))
    return response
  }

  return {
    send,
    /** The `data` of the response envelope. */
    async data<T>(method: string, path: string, ask?: Ask): Promise<T> {
      const response = await send(method, path, ask)
      const { data } = (await response.json()) as { data: T }
      return data
    },
  }
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as Partial<Schemas['Failure']>
  return `${body.message ?? 'The service returned an error.'} (${[response.status, body.error?.code].filter(Boolean).join(' ')})`
}
