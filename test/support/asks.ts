import type { OperationId } from '../../src/web/api/handler.ts'
import type { Ask } from './client.ts'
import { deliveryOf } from './webhooks.ts'

interface Row {
  /** A request that succeeds for the owner of the resource. */
  ask?: (owner: Owner) => Ask
  /** Expected status for anonymous callers if authentication is optional. Default: a success. */
  anonymous?: number
  /** Expected status for another user with an account. */
  anotherUser: number
}
export interface Owner {
  sessionId: string
  articleId: string
  jobId: string
  tokenId: string
}

export const aPullRequest = { owner: 'acme', repo: 'vault', number: '1' }

/** One row per operation; the compiler rejects a table with a missing row. */
export const asks: Record<OperationId, Row> = {
  getHealth: { anotherUser: 200 },
  getReadiness: { anotherUser: 200 },
  signUp: { anotherUser: 409 },
  logOut: { anotherUser: 200 },
  saveHostToken: { ask: () => ({ body: { hostAccessToken: 'whatever' } }), anotherUser: 401 },
  listSessions: { anotherUser: 200 },
  revokeSession: { ask: ({ sessionId }) => ({ params: { sessionId } }), anotherUser: 404 },
  getCurrentUser: { anotherUser: 200 },
  updateCurrentUser: { ask: () => ({ body: { language: 'en' } }), anotherUser: 200 },
  deleteCurrentUser: { anotherUser: 204 },
  getUsage: { anotherUser: 200 },
  createToken: { ask: () => ({ body: { name: 'Mine', scopes: ['read'] } }), anotherUser: 201 },
  listTokens: { anotherUser: 200 },
  revokeToken: { ask: ({ tokenId }) => ({ params: { tokenId } }), anotherUser: 404 },
  registerFavorite: { ask: () => ({ body: { owner: 'acme', repo: 'vault' } }), anotherUser: 404 },
  addFavorite: { ask: () => ({ body: { owner: 'acme', repo: 'vault' } }), anotherUser: 404 },
  listFavorites: { anotherUser: 200 },
  removeFavorite: { ask: () => ({ params: { owner: 'acme', repo: 'vault' } }), anotherUser: 404 },
  markFavoriteSeen: { ask: () => ({ params: { owner: 'acme', repo: 'vault' } }), anotherUser: 404 },
  updateFavorite: {
    ask: () => ({ params: { owner: 'acme', repo: 'vault' }, body: { automaticArticles: 'everything' } }),
    anotherUser: 404,
  },
  searchHostRepositories: { ask: () => ({ query: { q: 'vault' } }), anotherUser: 200 },
  getFeed: { anotherUser: 200 },
  listPullRequests: { ask: () => ({ params: { owner: 'acme', repo: 'vault' } }), anotherUser: 404 },
  listMerges: { ask: () => ({ params: { owner: 'acme', repo: 'vault' } }), anonymous: 404, anotherUser: 404 },
  getPullRequest: { ask: () => ({ params: aPullRequest }), anonymous: 404, anotherUser: 404 },
  ingestPullRequest: { ask: () => ({ params: aPullRequest }), anotherUser: 404 },
  generateArticle: { ask: () => ({ params: aPullRequest }), anotherUser: 404 },
  getArticle: { ask: () => ({ params: aPullRequest }), anonymous: 404, anotherUser: 404 },
  getArticleById: { ask: ({ articleId }) => ({ params: { articleId } }), anonymous: 404, anotherUser: 404 },
  listArticles: { anotherUser: 200 },
  listArticleJobs: { anotherUser: 200 },
  listRepositories: { anotherUser: 200 },
  likeArticle: { ask: ({ articleId }) => ({ params: { articleId, langCode: 'ja' } }), anotherUser: 404 },
  unlikeArticle: { ask: ({ articleId }) => ({ params: { articleId, langCode: 'ja' } }), anotherUser: 404 },
  reportMistake: {
    ask: ({ articleId }) => ({ params: { articleId, langCode: 'ja' }, body: { description: 'Wrong.' } }),
    anotherUser: 404,
  },
  listLikedArticles: { anotherUser: 200 },
  getArticleRanking: { anotherUser: 200 },
  getArticleJob: { ask: ({ jobId }) => ({ params: { jobId } }), anotherUser: 404 },
  receiveWebhook: { ask: () => deliveryOf('repository', { repository: { id: 1 } }), anotherUser: 202 },
}
