import { randomUUIDv7 } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { unavailable } from '../api/problems.ts'
import { DATA_HEADERS } from '../api/securityHeaders.ts'
import { errorBody } from '../api/sendErrors.ts'

const REFUSAL = unavailable()
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorBody(REFUSAL, randomUUIDv7())).split(/[\da-f-]{36}/)
const HEADERS = {
  ...DATA_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(BEFORE_ID + AFTER_ID) + 36,
  'Cache-Control': 'no-store',
  'Retry-After': REFUSAL.retryAfter ?? 1,
}

/** Answers 503. Everything but the request id is prepared, because many of these are sent when CPU time is scarce. */
export function refuse(response: ServerResponse, headers: Record<string, string>): void {
  const requestId = randomUUIDv7()
  response.writeHead(503, { ...HEADERS, ...headers, 'X-Request-Id': requestId })
  response.end(BEFORE_ID + requestId + AFTER_ID)
}
