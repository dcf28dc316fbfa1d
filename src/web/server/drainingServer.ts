import { type RequestListener, Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'

/**
 * When this server closes, it also closes connections that never sent a request, which Node counts as active. Node
 * closes idle connections at once; this server first waits `idleGraceMs`, because a request may be on its way on some
 * of them.
 */
export class DrainingServer extends Server {
  readonly #unused = new Set<Socket>()
  readonly #idleGraceMs: number
  #idleTimer: NodeJS.Timeout | undefined
  #handle: RequestListener

  constructor(options: ServerOptions, idleGraceMs: number, handle: RequestListener) {
    super(options)
    this.#handle = handle
    this.#idleGraceMs = idleGraceMs
    this.on('connection', (socket) => {
      this.#unused.add(socket)
      socket.once('close', () => this.#unused.delete(socket))
    })
    const listener: RequestListener = (request, response) => {
      this.#unused.delete(request.socket)
      this.#handle(request, response)
    }
    // Node would answer 417 to any expectation but 100-continue.
    this.on('request', listener).on('checkExpectation', listener)
  }

  /** From now on, `handle` answers all requests, even on connections that are already open. */
  handleWith(handle: RequestListener): void {
    this.#handle = handle
  }

  override closeIdleConnections(): void {
    if (this.#idleGraceMs === 0) this.#closeIdleNow()
    else this.#idleTimer ??= setTimeout(() => this.#closeIdleNow(), this.#idleGraceMs)
  }

  #closeIdleNow(): void {
    super.closeIdleConnections()
    for (const socket of this.#unused) socket.destroy()
  }
}
