import { operations } from '../../generated/operations.ts'
import type { OperationId } from '../../src/http/handler.ts'
import { expectConforming } from './contract.ts'

export interface Ask {
  token?: string | undefined
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check the body
  body: any
}

export type Client = ReturnType<typeof createClient>

/** Calls the service over HTTP and checks every response against the contract. */
export function createClient(serviceUrl: string, operationsUrl = serviceUrl) {
  /** Sends any request, also a malformed one. Bypasses the proxy, which accepts only well-formed requests. */
  async function send(method: string, path: string, init: RequestInit = {}, baseUrl = serviceUrl): Promise<Answer> {
    // URL resolves segments such as `..`, so the check uses the path that is sent.
    const url = new URL(baseUrl + path)
    const response = await fetch(url, { method, ...init })
    const text = await response.text()
    const { status, headers } = response
    expectConforming(method, url.pathname, { status, headers, text })
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  return {
    send,
    call(operationId: OperationId, { token, params = {}, query = {}, body, headers = {} }: Ask = {}): Promise<Answer> {
      const { method, path } = operations[operationId]
      const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const init = {
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      return send(method, search.size > 0 ? `${filled}?${search}` : filled, init, operationsUrl)
    },
  }
}
