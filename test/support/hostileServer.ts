import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { DONE, piece } from './fakeStream.ts'

type Body = Iterable<string | Buffer>
const MEGABYTE = 1024 * 1024
const BLOCK_BYTES = 64 * 1024

function* endless(start: string, rest: string): Body {
  yield start
  const block = Buffer.from(rest.repeat(Math.ceil(BLOCK_BYTES / rest.length)))
  for (;;) yield block
}

/** Response bodies that never end. */
export const endlessBodies: Record<string, () => Body> = {
  comments: () => endless(': hello\n\n', ':\n\n'),
  'tiny events': () => endless('\n', 'data:{}\n\n'),
  'blank lines': () => endless('', '\n'),
  'a line': () => endless('data: "', 'x'),
  'a comment': () => endless(': ', 'x'),
  'an event': () => endless('', 'data:\n'),
  'plain JSON': () => endless('{"choices":"', 'x'),
  'token counts': () => endless('', 'data:{"usage":{"prompt_tokens":1}}\n\n'),
  text: () => endless('', piece({ content: 'word ' })),
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const keys = (count: number) => Array.from({ length: count }, (_, i) => `"${String(i).padStart(6)}":0`).join(',')

/** JSON documents of nearly 384 KiB each that are slow to parse. */
export const largeEvents: Record<string, () => string> = {
  'nested arrays': () => nested(195_000),
  'nested objects': () => `${'{"":'.repeat(78_000)}0${'}'.repeat(78_000)}`,
  'empty arrays': () => `[${'[],'.repeat(130_000)}0]`,
  'many keys': () => `{${keys(34_000)}}`,
  'many parts of a text': () => `{"choices":[{"delta":{"content":[${'{},'.repeat(130_000)}0]}}]}`,
  'an error': () => `{"error":{"message":${nested(195_000)}}}`,
}

/** Sends a response in chunks of one byte. */
function writeTinyChunks({ socket }: ServerResponse): void {
  const chunks = [...'data:{}\n\n'].map((character) => `1\r\n${character}\r\n`).join('')
  socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
  socket?.write(chunks.repeat(50_000))
  socket?.end('0\r\n\r\n')
}

function writeCompressed(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(96 * MEGABYTE, '\n')))
}

function write(response: ServerResponse, body: Iterator<string | Buffer>): void {
  while (!response.destroyed) {
    const { done, value } = body.next()
    if (done) return void response.end()
    if (!response.write(value)) return void response.once('drain', () => write(response, body))
  }
}

/** Serves `/<status>/<body name>/…` in a separate thread, to keep the event loop of the test free. */
if (!isMainThread && parentPort) {
  const server = createServer((request, response) => {
    request.resume()
    const [, status, name = ''] = decodeURIComponent(request.url ?? '').split('/')
    if (name === 'tiny chunks') return writeTinyChunks(response)
    if (name === 'compressed') return writeCompressed(response)
    const body = endlessBodies[name]?.() ?? [`data: ${largeEvents[name]?.()}\n\n`, DONE]
    write(response.writeHead(Number(status), { 'content-type': 'text/event-stream' }), body[Symbol.iterator]())
  })
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
}
