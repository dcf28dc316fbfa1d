import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { FeedEntry } from '../../db/feeds/atomEntries.ts'
import { checkUnverified } from '../../domain/repositories/publicVisibility.ts'
import { etagOf, sendUnlessKnown } from '../api/etag.ts'
import { cacheControl, publicOrigin } from '../api/sameOrigin.ts'
import { atomOf } from './atom.ts'
import { createChangeTimes } from './changeTimes.ts'

const CACHE_SECONDS = 300

interface FeedInfo {
  title: string
  /** The feed's own path, without parameters that change nothing: it identifies the feed. */
  path: string
  /** The path of the page that shows the same list. */
  page: string
  language: string | undefined
  isPrivate?: boolean
}

export type SendAtom = (
  request: FastifyRequest,
  reply: FastifyReply,
  entries: FeedEntry[],
  info: FeedInfo,
) => FastifyReply

export function createSendAtom(ctx: Context): SendAtom {
  const changedAt = createChangeTimes(ctx.now)
  return (request, reply, entries, { title, path, page, language, isPrivate = false }) => {
    checkUnverified(ctx, entries)
    const origin = publicOrigin(ctx, request)
    const text = atomOf({ title, origin, path, page, language }, entries)
    const etag = etagOf([text])
    const lastModified = changedAt(`${origin}${path}`, etag)
    reply.type('application/atom+xml; charset=utf-8').headers({
      'Last-Modified': new Date(Math.min(lastModified.getTime(), ctx.now().getTime())).toUTCString(),
      'Cache-Control': cacheControl(ctx, CACHE_SECONDS, isPrivate),
    })
    return sendUnlessKnown(reply, { etag, lastModified }, () => text)
  }
}
