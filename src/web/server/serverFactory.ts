import type { RequestListener } from 'node:http'
import type { FastifyServerFactory } from 'fastify'
import type { Context } from '../../context.ts'
import { SECOND_MS } from '../../lib/times.ts'
import { DrainingServer } from './drainingServer.ts'
import { type LoadShedding, shedLoad } from './shed.ts'
import { answerWhileStarting } from './starting.ts'

/** Closes a connection without traffic for this long, which is longer than any response may take. */
const CONNECTION_TIMEOUT_MS = 120 * SECOND_MS
const OPTIONS = {
  requestTimeout: 15 * SECOND_MS,
  // Node ignores `requestTimeout` while `headersTimeout` is longer.
  headersTimeout: 15 * SECOND_MS,
  connectionsCheckingInterval: 3 * SECOND_MS,
  // Longer than most load balancers keep idle connections, so that the load balancer closes them and not the server.
  keepAliveTimeout: 72 * SECOND_MS,
  // Node would reject requests without a Host header and send no body; we accept them or send the usual error response.
  requireHostHeader: false,
}

/** `idleGraceMs`: how long idle connections stay open after the server starts to close. */
export function createServer(idleGraceMs = 0): DrainingServer {
  return new DrainingServer(OPTIONS, idleGraceMs, answerWhileStarting).setTimeout(CONNECTION_TIMEOUT_MS)
}

/** Sends requests through load shedding to the app. `open` starts this, once the app is ready. */
export function serveBy(ctx: Context, server: DrainingServer) {
  let shedding: LoadShedding | undefined
  const serverFactory: FastifyServerFactory = (handle) => {
    shedding = shedLoad(ctx, handle as RequestListener)
    return server.on('close', shedding.stop)
  }
  return { serverFactory, open: () => shedding && server.handleWith(shedding.listener) }
}
