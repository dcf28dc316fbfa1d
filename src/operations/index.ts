import type { Handlers } from '../web/api/handler.ts'
import { addFavorite } from './addFavorite.ts'
import { createToken } from './createToken.ts'
import { deleteCurrentUser } from './deleteCurrentUser.ts'
import { generateArticle } from './generateArticle.ts'
import { getArticle } from './getArticle.ts'
import { getArticleById } from './getArticleById.ts'
import { getArticleJob } from './getArticleJob.ts'
import { getArticleRanking } from './getArticleRanking.ts'
import { getCurrentUser } from './getCurrentUser.ts'
import { getFeed } from './getFeed.ts'
import { getHealth } from './getHealth.ts'
import { getPullRequest } from './getPullRequest.ts'
import { getReadiness } from './getReadiness.ts'
import { getUsage } from './getUsage.ts'
import { ingestPullRequest } from './ingestPullRequest.ts'
import { likeArticle } from './likeArticle.ts'
import { listArticleJobs } from './listArticleJobs.ts'
import { listArticles } from './listArticles.ts'
import { listFavorites } from './listFavorites.ts'
import { listLikedArticles } from './listLikedArticles.ts'
import { listMerges } from './listMerges.ts'
import { listPullRequests } from './listPullRequests.ts'
import { listRepositories } from './listRepositories.ts'
import { listSessions } from './listSessions.ts'
import { listTokens } from './listTokens.ts'
import { logOut } from './logOut.ts'
import { markFavoriteSeen } from './markFavoriteSeen.ts'
import { receiveWebhook } from './receiveWebhook.ts'
import { registerFavorite } from './registerFavorite.ts'
import { removeFavorite } from './removeFavorite.ts'
import { reportMistake } from './reportMistake.ts'
import { revokeSession } from './revokeSession.ts'
import { revokeToken } from './revokeToken.ts'
import { saveHostToken } from './saveHostToken.ts'
import { searchHostRepositories } from './searchHostRepositories.ts'
import { signUp } from './signUp.ts'
import { unlikeArticle } from './unlikeArticle.ts'
import { updateCurrentUser } from './updateCurrentUser.ts'
import { updateFavorite } from './updateFavorite.ts'

/** Every operation of the contract: a missing one is a compile error. */
export const handlers: Handlers = {
  addFavorite,
  createToken,
  deleteCurrentUser,
  generateArticle,
  getArticle,
  getArticleById,
  getArticleJob,
  getArticleRanking,
  getCurrentUser,
  getFeed,
  getHealth,
  getPullRequest,
  getReadiness,
  getUsage,
  ingestPullRequest,
  likeArticle,
  listArticleJobs,
  listArticles,
  listFavorites,
  listLikedArticles,
  listMerges,
  listPullRequests,
  listRepositories,
  listSessions,
  listTokens,
  logOut,
  markFavoriteSeen,
  receiveWebhook,
  registerFavorite,
  removeFavorite,
  reportMistake,
  revokeSession,
  revokeToken,
  saveHostToken,
  searchHostRepositories,
  signUp,
  unlikeArticle,
  updateCurrentUser,
  updateFavorite,
}
