import { Agent, fetch } from 'undici'

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

const MAX_ERROR_BYTES = 16 * 1024

/** The types of the package differ from those of Node's own copy, but the objects behave the same. */
const send = fetch as unknown as (url: string, init: Init) => Promise<Response>
type Init = Omit<RequestInit, 'dispatcher'> & { dispatcher: Agent }

/** HTTP to the model server. Leaves all timeouts to the caller; Node's own fetch gives up on headers after 300 s. */
export function openTransport(): { fetch: Fetch; close(): Promise<void> } {
  // HTTP/1.1 like Node's own fetch, because deadlines and limits are tested with it.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false })
  return {
    async fetch(url, init) {
      // Follow no redirects: prompts hold private code and must only reach the configured server.
      const response = await send(String(url), { ...init, dispatcher, redirect: 'manual' })
      return response.ok ? response : withWrappedError(response)
    },
    close: () => dispatcher.destroy(),
  }
}

/**
 * Moves the error of a response into the field `error` of the body: the SDK reads only this field, but some servers
 * send the error as the whole body. Also limits the size of the body.
 */
async function withWrappedError({ body, status, headers }: Response): Promise<Response> {
  const text = await beginningOf(body)
  const parsed = parsedObject(text)
  const error = parsed?.error ?? parsed ?? text
  return new Response(status === 304 ? null : JSON.stringify({ error }), { status, headers })
}

async function beginningOf(body: Response['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk.subarray(0, MAX_ERROR_BYTES - bytes))
    bytes += chunk.byteLength
    if (bytes >= MAX_ERROR_BYTES) break
  }
  return Buffer.concat(chunks).toString()
}

function parsedObject(text: string): { error?: unknown } | undefined {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}
