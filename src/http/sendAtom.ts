import type { FastifyReply, FastifyRequest } from 'fastify'
import { atomOf } from '../atom/atom.ts'
import type { Context } from '../context.ts'
import type { FeedEntry } from '../db/atom/atomEntries.ts'
import { checkUnverified } from '../repositories/publicVisibility.ts'
import { sendWithEtag } from './etag.ts'
import { cacheControl, publicOrigin } from './sameOrigin.ts'

const CACHE_SECONDS = 300

interface FeedInfo {
  title: string
  /** The feed's own path; default: the requested one. */
  path?: string
  /** The path of the page that shows the same list. */
  page: string
  language: string | undefined
  isPrivate?: boolean
}

export function sendAtom(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  entries: FeedEntry[],
  { title, path = request.url, page, language, isPrivate = false }: FeedInfo,
): FastifyReply {
  checkUnverified(ctx, entries)
  const { text, updated } = atomOf({ title, origin: publicOrigin(ctx, request), path, page, language }, entries)
  reply.type('application/atom+xml; charset=utf-8').headers({
    'Last-Modified': updated.toUTCString(),
    'Cache-Control': cacheControl(ctx, CACHE_SECONDS, isPrivate),
  })
  // `If-Modified-Since` is ignored: likes reorder a feed and entries leave it without changing `Last-Modified`.
  return sendWithEtag(reply, text)
}
