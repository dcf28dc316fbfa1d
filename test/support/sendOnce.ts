import { request } from 'undici'

export interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string | URLSearchParams
}

/** Like `fetch` without following redirects, in half the CPU time. */
export async function sendOnce(url: string | URL, { method = 'GET', headers, body }: Sent = {}): Promise<Response> {
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'text/plain;charset=UTF-8'
  const received = await request(url, {
    method,
    headers: { accept: '*/*', ...(body && { 'content-type': type }), ...headers },
    ...(body && { body: String(body) }),
  })
  const pairs = Object.entries(received.headers).flatMap(([name, value = '']) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const content = await received.body.arrayBuffer()
  const response = new Response(content.byteLength > 0 ? content : null, {
    status: received.statusCode,
    headers: pairs,
  })
  return Object.defineProperty(response, 'url', { value: String(url) })
}
