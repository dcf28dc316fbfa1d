import type { PageRoute } from './page.ts'
import {
  deleteAccount,
  followRepository,
  resetFeed,
  saveFavoriteSettings,
  setArticleLanguage,
  unfollowRepository,
} from './views/account.ts'
import { article } from './views/article.ts'
import { evidence } from './views/evidence.ts'
import { home } from './views/home.ts'
import { setLanguage } from './views/language.ts'
import { likeOrUnlike } from './views/like.ts'
import { createApiToken, revokeApiToken } from './views/manageTokens.ts'
import { me } from './views/me.ts'
import { merges } from './views/merges.ts'
import { mistake, sendMistake } from './views/mistake.ts'
import { open, openPull } from './views/open.ts'
import { repository } from './views/repository.ts'
import { search } from './views/search.ts'
import { SEARCH_PATH } from './views/searchBox.ts'
import { endSession, finishSignIn, showSignIn, signInWithToken, startSignIn } from './views/signIn.ts'
import { writing } from './views/writing.ts'

export const routes: PageRoute[] = [
  { method: 'GET', path: '/read', handler: home },
  { method: 'GET', path: SEARCH_PATH, cost: 'search', handler: search },
  { method: 'GET', path: '/read/repos/:owner/:name', handler: repository },
  { method: 'GET', path: '/read/repos/:owner/:name/merges', handler: merges },
  { method: 'GET', path: '/read/pulls/:owner/:name/:number', cost: 'host', handler: openPull },
  { method: 'GET', path: '/read/articles/:articleId', handler: article },
  { method: 'GET', path: '/read/articles/:articleId/evidence', handler: evidence },
  { method: 'GET', path: '/read/articles/:articleId/mistake', handler: mistake },
  { method: 'POST', path: '/read/articles/:articleId/mistake', handler: sendMistake },
  { method: 'POST', path: '/read/open', cost: 'generation', handler: open },
  { method: 'GET', path: '/read/writing/:jobId', handler: writing },
  { method: 'POST', path: '/read/like', authentication: 'deferred', handler: likeOrUnlike },
  { method: 'GET', path: '/read/me', cost: 'host', handler: me },
  { method: 'POST', path: '/read/favorites', cost: 'host', handler: followRepository },
  { method: 'POST', path: '/read/favorites/remove', cost: 'host', handler: unfollowRepository },
  { method: 'POST', path: '/read/favorites/settings', cost: 'host', handler: saveFavoriteSettings },
  { method: 'POST', path: '/read/feed', handler: resetFeed },
  { method: 'POST', path: '/read/leave', handler: deleteAccount },
  { method: 'POST', path: '/read/language', handler: setLanguage },
  { method: 'POST', path: '/read/me/language', handler: setArticleLanguage },
  { method: 'POST', path: '/read/me/tokens', cost: 'host', handler: createApiToken },
  { method: 'POST', path: '/read/me/tokens/revoke', handler: revokeApiToken },
  { method: 'GET', path: '/sign-in', handler: showSignIn },
  { method: 'POST', path: '/sign-in', cost: 'host', handler: signInWithToken },
  { method: 'GET', path: '/sign-in/host', cost: 'host', handler: startSignIn },
  { method: 'GET', path: '/sign-in/done', cost: 'host', handler: finishSignIn },
  { method: 'POST', path: '/sign-out', handler: endSession },
]
