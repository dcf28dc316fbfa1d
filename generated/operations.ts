// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const operations = {
  getHealth: {"method":"GET","path":"/healthz","security":"none","account":"optional","body":"none","queryDefaults":[],"statuses":[200,400,500]},
  getReadiness: {"method":"GET","path":"/readyz","security":"none","account":"optional","body":"none","queryDefaults":[],"statuses":[200,400,500,503]},
  signUp: {"method":"POST","path":"/auth/signup","security":"bearer","account":"optional","body":"optional","queryDefaults":[],"statuses":[201,400,401,403,409,413,415,429,500,502,503]},
  logOut: {"method":"POST","path":"/auth/logout","security":"bearer","account":"optional","body":"none","queryDefaults":[],"statuses":[200,400,401,413,415,429,500,502,503]},
  saveHostToken: {"method":"POST","path":"/auth/token/exchange","security":"bearer","account":"required","body":"required","queryDefaults":[],"statuses":[200,400,401,403,404,413,415,429,500,502,503]},
  listSessions: {"method":"GET","path":"/auth/sessions","security":"bearer","account":"required","body":"none","queryDefaults":[],"statuses":[200,400,401,404,429,500,502,503]},
  revokeSession: {"method":"DELETE","path":"/auth/sessions/{sessionId}","security":"bearer","account":"required","body":"none","queryDefaults":[],"statuses":[204,400,401,404,413,415,429,500,502,503]},
  getCurrentUser: {"method":"GET","path":"/users/me","security":"bearer","account":"required","body":"none","queryDefaults":[],"statuses":[200,400,401,404,429,500,502,503]},
  registerFavorite: {"method":"POST","path":"/users/me","security":"bearer","account":"required","body":"required","queryDefaults":[],"statuses":[200,201,400,401,403,404,413,415,429,500,502,503]},
  updateCurrentUser: {"method":"PATCH","path":"/users/me","security":"bearer","account":"required","body":"required","queryDefaults":[],"statuses":[200,400,401,404,413,415,429,500,502,503]},
  deleteCurrentUser: {"method":"DELETE","path":"/users/me","security":"bearer","account":"required","body":"none","queryDefaults":[],"statuses":[204,400,401,404,413,415,429,500,502,503]},
  listFavorites: {"method":"GET","path":"/users/me/favorite-repositories","security":"bearer","account":"required","body":"none","queryDefaults":["limit","offset"],"statuses":[200,400,401,404,429,500,502,503]},
  removeFavorite: {"method":"DELETE","path":"/users/me/favorite-repositories/{owner}/{repo}","security":"bearer","account":"required","body":"none","queryDefaults":[],"statuses":[200,400,401,403,404,413,415,429,500,502,503]},
  getFeed: {"method":"GET","path":"/users/me/feed","security":"bearer","account":"required","body":"none","queryDefaults":["limit","offset"],"statuses":[200,400,401,403,404,429,500,502,503]},
  listPullRequests: {"method":"GET","path":"/repos/{owner}/{repo}/pulls","security":"bearer","account":"required","body":"none","queryDefaults":["state","limit","offset"],"statuses":[200,400,401,403,404,429,500,502,503]},
  getPullRequest: {"method":"GET","path":"/repos/{owner}/{repo}/pulls/{number}","security":"optional","account":"optional","body":"none","queryDefaults":["refresh"],"statuses":[200,400,401,403,404,429,500,502,503]},
  ingestPullRequest: {"method":"POST","path":"/repos/{owner}/{repo}/pulls/{number}/ingest","security":"bearer","account":"required","body":"none","queryDefaults":[],"statuses":[200,400,401,403,404,413,415,429,500,502,503]},
} as const
