import type { RequestListener } from 'node:http'
import type { FastifyServerFactory } from 'fastify'
import type { Context } from '../../context.ts'
import { DrainingServer } from './drainingServer.ts'
import { shedLoad } from './shed.ts'

const SECOND_MS = 1000
/** Longer than any response may take. */
const CONNECTION_TIMEOUT_MS = 120 * SECOND_MS
const OPTIONS = {
  requestTimeout: 15 * SECOND_MS,
  // Node ignores `requestTimeout` while `headersTimeout` is longer.
  headersTimeout: 15 * SECOND_MS,
  connectionsCheckingInterval: 3 * SECOND_MS,
  // Longer than most load balancers keep idle connections, so that they and not the server close them.
  keepAliveTimeout: 72 * SECOND_MS,
  // Node would reject such requests without a body; we accept them or send the usual error response.
  requireHostHeader: false,
}

/** Creates the server of an app: requests pass load shedding first, and closing drains connections. */
export function serverFactory(ctx: Context, idleGraceMs: number): FastifyServerFactory {
  return (handle) => {
    const shedding = shedLoad(ctx, handle as RequestListener)
    const server = new DrainingServer(OPTIONS, idleGraceMs, shedding.listener)
    return server.on('close', shedding.stop).setTimeout(CONNECTION_TIMEOUT_MS)
  }
}
