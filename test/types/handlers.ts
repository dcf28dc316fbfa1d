/** Handlers that the compiler must reject. `npm run types` fails if a `@ts-expect-error` has no error. */

import { handlers } from '../../src/operations/index.ts'
import type { Handler, Handlers } from '../../src/web/api/handler.ts'
import { noContent, reply } from '../../src/web/api/handler.ts'

const favorite = {
  id: '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a03',
  userId: '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a00',
  hostRepoId: 596892,
  repositoryFullName: 'pallets/flask',
  owner: 'pallets',
  repo: 'flask',
  url: 'https://pullpress.example.com/read/repos/pallets/flask',
  registeredAt: '2026-11-02T09:31:04.217Z',
  seenAt: '2026-11-02T09:31:04.217Z',
  unreadCount: 0,
  automaticArticles: 'notable' as const,
  includesBots: false,
  watched: true,
}

export const declared: Handler<'registerFavorite'> = async () => reply(201, favorite, 'Registered.')

// @ts-expect-error 202 is not declared for registerFavorite
export const undeclaredStatus: Handler<'registerFavorite'> = async () => reply(202, favorite, 'Later.')

// @ts-expect-error 404 is thrown, not returned
export const failureAsReply: Handler<'getCurrentUser'> = async () => reply(404, null, 'Nobody.')

const { registeredAt: _, ...withoutTime } = favorite
// @ts-expect-error the body lacks registeredAt
export const wrongBody: Handler<'registerFavorite'> = async () => reply(201, withoutTime, 'Registered.')

// @ts-expect-error the id is a number on the code host
export const wrongType: Handler<'registerFavorite'> = async () => reply(200, { ...favorite, hostRepoId: '5' }, 'Old.')

// @ts-expect-error 201 of signUp has no envelope
export const enveloped: Handler<'signUp'> = async () => reply(201, favorite, 'Signed up.')

// @ts-expect-error 200 of listFavorites has a body
export const noBody: Handler<'listFavorites'> = async () => noContent()

const { removeFavorite: __, ...incomplete } = handlers
// @ts-expect-error an operation is left out
export const leftOut: Handlers = incomplete

export const typedInput: Handler<'listFavorites'> = async ({ query, viewer, body, params }) => {
  query.limit satisfies number
  viewer.user.id satisfies string
  body satisfies undefined
  // @ts-expect-error listFavorites takes no such parameter
  query.page
  // @ts-expect-error the path of listFavorites has no parameters
  params.owner
  return reply(200, { data: [], pagination: { totalItems: 0, nextCursor: null, ...query } }, 'None.')
}

export const typedBody: Handler<'saveHostToken'> = async ({ body, viewer }) => {
  body.hostAccessToken satisfies string
  return reply(200, { hostUsername: viewer.user.host_username, scopes: [], savedAt: '' }, 'Saved.')
}

export const noAccountYet: Handler<'logOut'> = async ({ viewer }) => {
  // @ts-expect-error logOut is open to identities without an account
  viewer.user.id
  return reply(200, { revokedAt: '' }, 'Out.')
}

export const nobody: Handler<'getHealth'> = async ({ viewer }) => {
  viewer satisfies undefined
  return reply(200, { ok: true, version: '', checks: {} }, 'Alive.')
}

export const deferred: Handler<'likeArticle'> = async ({ credential, ...input }) => {
  const viewer = await credential.identify()
  viewer.user.id satisfies string
  // @ts-expect-error likeArticle gets a credential instead of a viewer
  input.viewer
  return reply(200, {} as never, 'Liked.')
}

export const unparsedBody: Handler<'receiveWebhook'> = async ({ rawBody, headers, viewer, ...input }) => {
  rawBody satisfies AsyncIterable<Uint8Array>
  headers.accept satisfies string | undefined
  viewer satisfies undefined
  // @ts-expect-error receiveWebhook reads its body itself, to verify the signature first
  input.body
  return reply(202, { receivedAt: '' }, 'Received.')
}

export const parsedBody: Handler<'saveHostToken'> = async (input) => {
  // @ts-expect-error saveHostToken gets a parsed body only
  input.rawBody
  return reply(200, {} as never, 'Saved.')
}

export const notDeferred: Handler<'listFavorites'> = async (input) => {
  // @ts-expect-error listFavorites is authenticated before its handler runs
  input.credential
  return reply(200, {} as never, 'None.')
}
