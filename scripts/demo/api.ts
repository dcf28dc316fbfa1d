import type { components } from '../../generated/api.ts'
import { DemoFailure, lineOf } from './failure.ts'

export type Schemas = components['schemas']

interface Ask {
  body?: object | undefined
  headers?: Record<string, string>
  signal?: AbortSignal
}

export type Api = ReturnType<typeof createApi>

/** Calls the service as the user whose token it is; a refusal is thrown with the service's own message. */
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
      throw new DemoFailure(`The service does not answer: ${lineOf(error)}`)
    })
    if (!response.ok) throw new DemoFailure(await messageOf(response))
    return response
  }

  return {
    send,
    /** What is in the answer's envelope. */
    async data<T>(method: string, path: string, ask?: Ask): Promise<T> {
      const response = await send(method, path, ask)
      const { data } = (await response.json()) as { data: T }
      return data
    },
  }
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as Partial<Schemas['Failure']>
  return `${body.message ?? 'The service refused.'} (${[response.status, body.error?.code].filter(Boolean).join(' ')})`
}
