import type { IncomingMessage, ServerResponse } from 'node:http'

/** Replaces the response of the host for matching paths, `times` times. */
export interface Fault {
  path: RegExp
  /** Applies only to requests with a matching Accept header. */
  accept?: RegExp
  times?: number
  act: (request: IncomingMessage, response: ServerResponse) => unknown
}

export const faults = {
  status: (status: number, headers: Record<string, string> = {}, body = { message: 'Fault' }) => {
    return (_: IncomingMessage, response: ServerResponse) =>
      void response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
        .end(JSON.stringify(body))
  },
  hang: () => {},
  reset: (request: IncomingMessage) => void request.socket.destroy(),
  cutJson: (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": 1, "log'),
  redirect: (location: string) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(302, { location }).end(),
}
