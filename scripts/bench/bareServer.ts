import { createServer } from 'node:http'
import { article } from './bare/article.ts'
import { countLikes, like } from './bare/like.ts'
import { liked } from './bare/liked.ts'
import { ranking } from './bare/ranking.ts'
import type { BareHandler } from './bare/server.ts'
import { reportTo } from './measured.ts'

/**
 * The minimum cost of a response: `node:http`, `pg`, one named statement that checks session and visibility and reads
 * the data, and the same bytes. No validation, log or error handling.
 */
const handlers: Record<string, BareHandler> = { articles: article, ranking, users: liked }

const server = createServer(async (request, response) => {
  const path = request.url?.split('/') ?? []
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const handle = request.method === 'POST' ? like : handlers[path[1] ?? '']
  const { status, body } = (await handle?.(token, path)) ?? { status: 404, body: '' }
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) })
    .end(body)
})
countLikes()
server.listen(0, '127.0.0.1', () => reportTo(server))
