import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { publicOrigin } from './sameOrigin.ts'

/** The header `Link` of a page of a list that another page follows: the same request with another cursor. */
export function nextLink(ctx: Pick<Context, 'config'>, request: FastifyRequest, cursor: string): string {
  const [path = '', search] = request.url.split('?')
  const query = new URLSearchParams(search)
  query.delete('offset')
  query.set('cursor', cursor)
  return `<${publicOrigin(ctx, request)}${path}?${query}>; rel="next"`
}
