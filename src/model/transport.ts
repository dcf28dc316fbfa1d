import { Agent, fetch } from 'undici'

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

const MAX_ERROR_BYTES = 16 * 1024

/** The package's types differ from those of Node's own copy; the objects behave alike. */
const send = fetch as unknown as (url: string, init: Init) => Promise<Response>
type Init = Omit<RequestInit, 'dispatcher'> & { dispatcher: Agent }

/** HTTP to the model server. Node's own fetch gives up on headers after 300 s; here all deadlines are the caller's. */
export function openTransport(): { fetch: Fetch; close(): Promise<void> } {
  // HTTP/1.1 as with Node's own fetch: deadlines and limits are tested with it.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false })
  return {
    async fetch(url, init) {
      // Prompts hold private code: they go to the configured server only.
      const response = await send(String(url), { ...init, dispatcher, redirect: 'manual' })
      return response.ok ? response : withWrappedError(response)
    },
    close: () => dispatcher.destroy(),
  }
}

/** The SDK reads error bodies whole, and looks only into their `error`: some servers put the error itself there. */
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
