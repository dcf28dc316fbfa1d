import { hostname } from 'node:os'
import type { FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, symbols } from 'pino'

const INFO = 30
/** Somebody may have copied more or less than the address of their feed. */
const LIKE_A_SECRET_PATH = /^\/feeds\/favorites/i

interface End {
  address: string | undefined
  status: number
  milliseconds: number
}

/**
 * One line a request, written past the logger, which would look through each for what must not be logged and take as
 * long as all else here: what stands in this line is named one by one. The query is left out, people put secrets there.
 */
export function requestLog(log: Logger): (request: FastifyRequest, end: End) => void {
  if (!log.isLevelEnabled('info')) return () => {}
  const stream = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym]
  const start = `{"level":${INFO},"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"msg":"request","time":`
  return (request, { address, status, milliseconds }) => {
    const { id, operationId, identity, method, url } = request
    const end = url.indexOf('?')
    const isSecret = request.routeOptions.config.isSecretPath || LIKE_A_SECRET_PATH.test(url)
    const path = JSON.stringify(isSecret ? 'left out' : end === -1 ? url : url.slice(0, end))
    const operation = operationId ? `,"operationId":"${operationId}"` : ''
    const user = identity?.userId ? `,"userId":"${identity.userId}"` : ''
    const rounded = Math.round(milliseconds * 10) / 10
    stream?.write(
      `${start}${Date.now()},"reqId":"${id}"${operation}${user},"method":"${method}","path":${path},"status":${status},"address":${JSON.stringify(address ?? null)},"milliseconds":${rounded}}\n`,
    )
  }
}
