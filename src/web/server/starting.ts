import { randomUUIDv7 } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { contract } from '../../contract.ts'
import { Problem } from '../../errors.ts'
import { DATA_HEADERS } from '../api/securityHeaders.ts'
import { errorBody } from '../api/sendErrors.ts'
import { refuse } from './refuse.ts'

const DOWN = { state: 'down' } as const
const CHECKS = { database: DOWN, migrations: DOWN, queue: DOWN }
const RETRY_AFTER = 5
const NOT_READY = new Problem('SERVICE_UNAVAILABLE', 'Starting.', { details: { checks: CHECKS } })
const HEALTH = { ok: true, version: contract.info.version, checks: { process: { state: 'up' } } }

/**
 * Answers requests until the app is ready, for example while the database is migrated. Reports the node as alive, so
 * that no supervisor restarts it, but not as ready.
 */
export const answerWhileStarting: RequestListener = (request, response) => {
  const path = request.url?.split('?')[0]
  const requestId = randomUUIDv7()
  if (path === '/healthz') sendJson(response, 200, requestId, { success: true, data: HEALTH, message: 'Alive.' })
  else if (path === '/readyz') sendJson(response, 503, requestId, errorBody(NOT_READY, requestId))
  else refuse(response, {})
}

function sendJson(response: ServerResponse, status: number, requestId: string, body: object): void {
  response.writeHead(status, {
    ...DATA_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...(status === 503 && { 'Retry-After': RETRY_AFTER }),
  })
  response.end(JSON.stringify(body))
}
