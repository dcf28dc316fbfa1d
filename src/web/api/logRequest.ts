import { hostname } from 'node:os'
import type { FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, symbols } from 'pino'

const INFO = 30
/** The paths of secret feed URLs, which must not be logged, even if copied with too many or too few characters. */
const SECRET_PATH = /^\/feeds\/favorites/i

interface RequestEnd {
  address: string | undefined
  status: number
  milliseconds: number
}

/**
 * Writes one line per request straight to the stream: the logger's redaction would take as long as the rest of this
 * function, and none of these fields is secret. The query is left out, because clients put secrets there.
 */
export function requestLog(log: Logger): (request: FastifyRequest, end: RequestEnd) => void {
  if (!log.isLevelEnabled('info')) return () => {}
  const stream = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym]
  const start = `{"level":${INFO},"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"msg":"request","time":`
  return (request, { address, status, milliseconds }) => {
    const { id, operationId, caller, logFields, method, url } = request
    const end = url.indexOf('?')
    const isSecret = request.routeOptions.config.isSecretPath || SECRET_PATH.test(url)
    const path = JSON.stringify(isSecret ? 'left out' : end === -1 ? url : url.slice(0, end))
    const operation = operationId ? `,"operationId":"${operationId}"` : ''
    const user = caller?.userId ? `,"userId":"${caller.userId}"` : ''
    const { jobId, repository } = logFields ?? {}
    const job = jobId ? `,"jobId":"${jobId}"` : ''
    const about = repository ? `,"repository":${JSON.stringify(repository)}` : ''
    const rounded = Math.round(milliseconds * 10) / 10
    stream?.write(
      `${start}${Date.now()},"reqId":"${id}"${operation}${user}${job}${about},"method":"${method}","path":${path},"status":${status},"address":${JSON.stringify(address ?? null)},"milliseconds":${rounded}}\n`,
    )
  }
}
