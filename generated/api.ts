// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Returns 200 while the process is running. Does not check the database or the code host.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Returns 200 if the service can handle requests: the database responds, all migrations this version needs have been applied, and the article queue works. If a check fails, returns 503 with the state of each check in `error.details.checks`. A server that is shutting down returns 503 with the check `process` alone. `pauses` names what is put off because the model or the code host asked for it.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Creates an account for the owner of the bearer token and returns the user. The profile comes from the code host. The body is optional. `hostAccessToken` is verified with the code host and saved as with `saveHostToken`. It is required with a JWT whose issuer does not provide the code-host identity. The operator decides who may sign up: everybody, the members of some organizations, some users, or nobody.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Revokes the token of this request permanently, on every node. Use a new token to authenticate again. Also works without an account. With an API token, ends that token alone.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save a code-host access token
         * @description Saves a code-host access token for the account and replaces the previous one. JWT sessions and API tokens of the account use it to call the code host. The token must be valid, must not have been logged out, and must belong to the account's own code-host user. It is stored encrypted. A session that authenticates with a code-host token always uses that token. A browser that signed in with a code-host token uses that one until it saves another with this operation.
         */
        post: operations["saveHostToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's sessions
         * @description Returns up to 100 sessions of the account, one per token that was used. The session of this request comes first, marked `current`, then live sessions, then ended ones, each newest first. Expired sessions and API tokens, which have a list of their own (`listTokens`), are omitted. Tokens are never returned.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Ends a session of the account and revokes its token, as `logOut` does. Ending a session that has already ended returns 204 again.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user
         * @description Returns the account of the caller.
         */
        get: operations["getCurrentUser"];
        put?: never;
        /**
         * Add a favorite (under `/users/me`)
         * @deprecated
         * @description Adds a repository to the caller's favorites and returns the favorite. If the repository is already a favorite, under this or a former name, returns 200 with the existing record. The caller's own token must have access to the repository. An account can have up to 100 favorites; repositories that none of its sessions can access any more do not count. The same as `addFavorite`, under its first path, which works until 2027-12-31 at least.
         */
        post: operations["registerFavorite"];
        /**
         * Delete the account
         * @description Deletes the account with its sessions, API tokens, saved token, favorites, likes and reports of mistakes. This cannot be undone. Tokens that were logged out stay revoked; any other token of the code host or the issuer can be used to sign up again.
         */
        delete: operations["deleteCurrentUser"];
        options?: never;
        head?: never;
        /**
         * Change the article language
         * @description Changes the language of the caller's articles and returns the user. The rest of the profile is synchronized from the code host and cannot be changed here.
         */
        patch: operations["updateCurrentUser"];
        trace?: never;
    };
    "/users/me/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the user has used of each quota
         * @description Returns each quota of the account with its limit, what is used of it and when it resets: the quotas of the day (UTC), what the account may hold at most, and the limits of requests per minute. Reading it counts as a read.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API tokens of the account
         * @description Returns the API tokens of the account, newest first. Revoked tokens are omitted; expired ones are listed for another 30 days. The tokens themselves are never returned again.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create an API token
         * @description Creates an API token for front ends, scripts and assistants, and returns it, this once only: the service stores only a hash of it. The token ends when it expires, is revoked or logs out, or with the account. An account has at most 20 tokens that have not ended.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API token
         * @description Ends an API token of the account at once, on every node. Revoking a token that is already revoked returns 204 again.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/favorite-repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List favorites
         * @description Returns the caller's favorites, newest first. Repositories that this session cannot access, and private ones without a valid visibility check, are omitted and not counted in `totalItems`. Public repositories stay listed while the code host is unreachable. `unreadCount` counts new articles up to 100; `markFavoriteSeen` resets it.
         */
        get: operations["listFavorites"];
        put?: never;
        /**
         * Add a favorite
         * @description Adds a repository to the caller's favorites and returns the favorite. If the repository is already a favorite, under this or a former name, returns 200 with the existing record. The caller's own token must have access to the repository. An account can have up to 100 favorites; repositories that none of its sessions can access any more do not count. `registerFavorite` is the same under its first path.
         */
        post: operations["addFavorite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/favorite-repositories/{owner}/{repo}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a favorite
         * @description Removes a favorite and returns the removed record. A former name of the repository works as long as the code host resolves it.
         */
        delete: operations["removeFavorite"];
        options?: never;
        head?: never;
        /**
         * Choose which articles a favorite gets
         * @description Sets about which merged pull requests of a favorite the user wants articles without asking. An article is written if the setting of at least one follower asks for it, in the languages of these followers. Fields that are not sent stay as they are. A former name of the repository works as long as the code host resolves it.
         */
        patch: operations["updateFavorite"];
        trace?: never;
    };
    "/users/me/favorite-repositories/{owner}/{repo}/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark the articles of a favorite as seen
         * @description Sets `seenAt` of a favorite to now, so that only articles written later count as unread. A former name of the repository works as long as the code host resolves it.
         */
        post: operations["markFavoriteSeen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/liked-articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List liked articles
         * @description Returns the articles the caller has liked, one item per like. Articles about private repositories without a valid visibility check in this session are omitted and not counted in `totalItems`.
         */
        get: operations["listLikedArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/article-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the article jobs of the user
         * @description Returns the jobs that requests of the caller started, in any session, newest first. A request that joined a job of another user, or found the article written already, started none. Jobs of repositories that this session cannot access, and of private ones without a valid visibility check, are omitted. A job is listed until 30 days after it ended, or until its session is deleted, a day after the session's token expired.
         */
        get: operations["listArticleJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the newest pull requests of the favorites
         * @description Returns the pull requests of all favorites this session can access, open and closed, most recently opened first, and before them the articles that are new to the user (`newArticles`). Only the newest 300 can be paged through. If the code host does not respond for a favorite within 3 seconds, the favorite is listed in `unavailable` and its pull requests come from the cache, if there are any. Each page of a favorite's list is cached for a minute.
         */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/host/repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search repositories on the code host
         * @description Searches the code host with the caller's own token, best match first, for example to find repositories to add as favorites. Private repositories that this token can see are included. The results are cached for a minute for this session alone. The code host limits searches more tightly than other calls.
         */
        get: operations["searchHostRepositories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List repositories with articles
         * @description Returns the public repositories with articles, that with the newest article first. A repository that was not verified as public within the last 24 hours is left out until it is.
         */
        get: operations["listRepositories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/merges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a repository's merged pull requests
         * @description Returns every pull request that was merged since the service began to watch the repository, last merged first, with what became of it: whether an article was written, and if not, why. When watching begins, the 30 pull requests merged last are listed, too, as `earlier`. An entry is kept for a year. `watching` is null if the service does not watch the repository; see `watched` of a favorite. Use `generateArticle` to have an article written anyway.
         */
        get: operations["listMerges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a repository's pull requests
         * @description Returns the pull requests of a repository, most recently opened first. Only the newest 300 can be paged through. The code host gives no total: `totalItems` is null, and `hasMore` tells whether there is a next page. The list is at most a minute old, or older while the code host is down; `asOf` is the time it was fetched.
         */
        get: operations["listPullRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pull request
         * @description Returns the stored pull request as it was last fetched. With `refresh=true`, fetches it from the code host first, including edited comments and pull requests that are not stored yet; this requires authentication. A pull request of a public repository stays readable while the code host is down.
         */
        get: operations["getPullRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch and store a pull request
         * @description Fetches a pull request from the code host, stores it and returns it: description, changed files, commits, comments, review comments, reviews and linked issues. Returns 502 if the code host does not respond within 15 seconds; the stored version then stays unchanged. The update is atomic. Unchanged data is not fetched again, and concurrent requests share one fetch.
         */
        post: operations["ingestPullRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}/article": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the article about a pull request
         * @description Returns the article with its current text in every language it was written in, or in one language. An article about a public repository stays readable while the code host and the model are down.
         *
         *     With `Accept: text/markdown` or `text/html` it is the text in one language, as readers see it: in `language`, otherwise in the user's language, in the first one of `Accept-Language`, or in that it was first written in.
         */
        get: operations["getArticle"];
        put?: never;
        /**
         * Generate the article about a pull request
         * @description Generates an article in one language and returns it. The default is the language of the user. There is one text per head commit, language and kind of generator: if it already exists, it is returned immediately and costs nothing. `force` regenerates it, at most once an hour. Concurrent requests for the same text share one job; only the request that starts the job counts toward a user's daily quota.
         *
         *     The request waits up to 30 seconds for the article, or as long as the header `Prefer: wait=N` says (at most 60). After that, or immediately with `Prefer: respond-async`, it returns 202 with the URL of the job in `Location`. It returns 401 as soon as the session of the request ends.
         *
         *     If a model is configured, the model writes the article and every claim is verified against the diff. Otherwise the service makes an outline from the diff (`generator.kind` is `outline`) in Japanese or English; requests for other languages get the English outline under `en`. The operator may allow some languages only; requests for others get the text in the first of these. Private code is sent to a model only if the operator allows it.
         *
         *     The head commit comes from the code host, at most a minute old; while the code host is down, from the stored pull request. A pull request that is not stored yet is fetched first.
         */
        post: operations["generateArticle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search articles
         * @description Returns one item for each article that the caller may read, in `language` (articles without a text in it are omitted); otherwise in the caller's language, if there is such a text; otherwise in the language it was first written in. Without a token, these are the articles about public repositories. A repository that was not verified as public within the last 24 hours is left out until it is.
         *
         *     `q` searches title, lead, text, headings, names of code, paths of files, repository, author and labels. Words and `"phrases"` must all occur; `-word` excludes. Upper and lower case, full and half width, and hiragana and katakana are the same. A word also finds longer words that begin with it; Japanese, Chinese and Korean text is found anywhere in a sentence. `repo:owner/name`, `type:fix` and `lang:ja` filter like the parameters `repository`, `changeType` and `language`. A search counts against a rate limit of its own. A new text can be found within a few seconds. `/feeds/search.atom` serves the newest public articles of a search as an Atom feed, with the same filters.
         */
        get: operations["listArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{articleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an article by id
         * @description Returns the article with its current text in every language, or in one language. The id of an article stays the same when its texts are regenerated.
         *
         *     With `Accept: text/markdown` or `text/html` it is the text in one language, as readers see it: in `language`, otherwise in the user's language, in the first one of `Accept-Language`, or in that it was first written in.
         */
        get: operations["getArticleById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{articleId}/language/{langCode}/like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Like an article
         * @description Likes an article in one language and returns the like. Liking it again has no effect and returns 200. `likeCount` includes the caller's own like; concurrent requests may return the same number. Each language of an article has its own likes. Likes are kept when the text is regenerated.
         */
        post: operations["likeArticle"];
        /**
         * Remove a like
         * @description Removes the caller's like and returns the remaining `likeCount`. The response is the same if there was no like.
         */
        delete: operations["unlikeArticle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{articleId}/language/{langCode}/mistakes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a mistake in an article
         * @description Tells the operator of the service about a mistake in an article in one language. A user can send 20 reports a day (UTC). The same report again within 24 hours is not stored twice: it returns 200 with the first one. Only the operator reads reports. They are deleted after a year, and with the account or the article.
         */
        post: operations["reportMistake"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ranking/articles/likes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rank articles by likes
         * @description Returns the articles with the most likes in a period: the last 24 hours, 7 days or 30 days, or all time. Likes that were removed do not count. Each item is an article in one language; articles without likes are omitted. Articles with equally many likes are ordered by age, newest first, then by id and language.
         *
         *     Only articles about public repositories are ranked. An article whose repository is found to be private is removed immediately, and `totalItems` is corrected within a minute. The ranking reflects new and expired likes within a minute.
         *
         *     A response to a caller without a token is the same for everyone: it carries an `ETag` and may be cached for 10 seconds.
         */
        get: operations["getArticleRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/article-jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of an article job
         * @description Returns the state of the job. With `Accept: text/event-stream`, returns a stream of server-sent events instead: `progress` whenever the job changes, then `succeeded` or `failed`, after which the stream ends. Each event has the job as JSON in `data`. If the stream breaks off, for example because a server shuts down, reconnect with `Last-Event-ID`, as browsers do; any server continues the stream from there. Callers can follow the jobs of every repository they can access.
         */
        get: operations["getArticleJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/host": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a webhook delivery of the code host
         * @description The code host sends its webhook deliveries here, as JSON. The signature is verified before the body is parsed. A delivery is only a hint to look now: the service reads the state from the code host itself, so that duplicates, replays and deliveries out of order change nothing. The code host names the event in a header of its own. A closed pull request makes the service look for merged pull requests of that repository, if it watches it, at the earliest 10 seconds after the last time. An event about a repository, or its publication, makes the service check at once whether the repository is public. Other events do nothing, nor do deliveries about unknown repositories or without a valid repository id; all of these return 202, too. Deliveries of the events `pull_request`, `repository` and `public` may have up to 1 MiB, more than they ever need, and return 400 if their signed body is not a JSON object. Deliveries of other events may have up to 25 MiB and are not parsed. Many deliveries at once wait for their turn. If more than 2,500 wait, further ones return 503. So do slow deliveries of these three events, the oldest first, while those that are arriving exceed 32 MiB.
         */
        post: operations["receiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: uuid
         * @description A UUID, version 7.
         */
        Uuid: string;
        /** @description A UUID, or the id that a proxy in front of the service gave the request. */
        RequestId: string;
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        Timestamp: string;
        /**
         * Format: iso-639-1
         * @description The code of a language in ISO 639-1, such as `ja` or `en`. A request with a code that is not assigned to a language, such as `zz`, gets 400.
         */
        Language: string;
        /**
         * Format: int64
         * @description A numeric id on the code host. It stays the same after a rename.
         */
        HostId: number;
        Owner: string;
        Repo: string;
        /** @description An access token of the code host. It is stored encrypted and never returned. */
        HostAccessToken: string;
        /** @description A human-readable message. Programs should use the status and the error code instead. */
        ResponseMessage: string;
        /**
         * @description What went wrong. Each code has one HTTP status:
         *
         *     | Code | Status | Meaning |
         *     |---|---|---|
         *     | VALIDATION_ERROR | 400 | The request does not match this contract; see `details.issues`. |
         *     | UNAUTHENTICATED | 401 | The token is missing, not valid, expired or logged out; the code host refused to renew the session of a browser; or the signature of a webhook delivery is missing or wrong. |
         *     | HOST_TOKEN_INVALID | 401 | The code host rejected the access token that was sent or saved. |
         *     | FORBIDDEN | 403 | The caller may not do this; `details.reason` tells why. |
         *     | HOST_TOKEN_REQUIRED | 403 | The account has to save a code-host access token first. |
         *     | NOT_FOUND | 404 | There is no such path, session, favorite or job, or no webhooks are configured. |
         *     | USER_NOT_FOUND | 404 | The token is valid, but its owner has no account. |
         *     | HOST_REPO_NOT_FOUND | 404 | The repository does not exist, or the caller cannot access it. |
         *     | PULL_REQUEST_NOT_FOUND | 404 | The pull request does not exist, or is not stored yet. |
         *     | ARTICLE_NOT_FOUND | 404 | The article does not exist, or the caller cannot access it. |
         *     | METHOD_NOT_ALLOWED | 405 | The path does not support this method; the header `Allow` lists those it does. |
         *     | USER_ALREADY_EXISTS | 409 | The owner of the token already has an account. |
         *     | PAYLOAD_TOO_LARGE | 413 | The body is larger than 1 MiB, or a webhook delivery larger than its event allows. |
         *     | UNSUPPORTED_MEDIA_TYPE | 415 | The body is not JSON. |
         *     | GENERATION_FAILED | 422 | The article could not be generated, or failed verification; see `details.reason`. |
         *     | RATE_LIMITED | 429 | Too many requests; `Retry-After` tells when to retry. |
         *     | QUOTA_EXCEEDED | 429 | The limit of articles, of model use or of reports for today is used up. |
         *     | INTERNAL_SERVER_ERROR | 500 | An error of the service. |
         *     | HOST_UNAVAILABLE | 502 | The code host does not respond. |
         *     | MODEL_UNAVAILABLE | 502 | The model does not respond. |
         *     | SERVICE_UNAVAILABLE | 503 | The service is overloaded, shutting down or without its database. |
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "UNAUTHENTICATED" | "HOST_TOKEN_INVALID" | "FORBIDDEN" | "HOST_TOKEN_REQUIRED" | "NOT_FOUND" | "USER_NOT_FOUND" | "HOST_REPO_NOT_FOUND" | "PULL_REQUEST_NOT_FOUND" | "ARTICLE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "USER_ALREADY_EXISTS" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "GENERATION_FAILED" | "RATE_LIMITED" | "QUOTA_EXCEEDED" | "INTERNAL_SERVER_ERROR" | "HOST_UNAVAILABLE" | "MODEL_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
        /** @description One invalid value in the request. */
        ValidationIssue: {
            /** @enum {string} */
            in: "body" | "params" | "querystring" | "headers";
            /** @description A JSON pointer to the value; empty if it concerns the whole part. */
            path: string;
            message: components["schemas"]["ResponseMessage"];
        };
        /** @description Machine-readable details beyond the code. */
        ErrorDetails: {
            /** @description With VALIDATION_ERROR, the invalid values. */
            issues?: components["schemas"]["ValidationIssue"][];
            /**
             * @description With RATE_LIMITED, `host` if the code host's own rate limit is exhausted.
             * @enum {string}
             */
            by?: "host";
            /** @description The limit that was reached. */
            limit?: number;
            reason?: components["schemas"]["ErrorReason"];
            /**
             * Format: uri
             * @description With the reason `host_forbids_token`, a page of the code host where the user can authorize the token, if the code host names one.
             */
            authorizationUrl?: string;
            /**
             * Format: uuid
             * @description If an article job failed, its id. The operator finds the job in the log by this id.
             */
            jobId?: string;
            checks?: components["schemas"]["HealthChecks"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Why, where the code alone does not tell. More values may be added.
         *
         *     Always with FORBIDDEN:
         *
         *     - `favorite_limit`: the account has as many favorites as it can have; `details.limit` is the number.
         *     - `token_limit`: the account has as many API tokens as it can have; `details.limit` is the number.
         *     - `token_scope`: the API token may only read.
         *     - `token_not_allowed`: API tokens may not call this operation.
         *     - `private_not_allowed`: the repository is private, and the operator does not allow private code to be sent to a
         *       model.
         *     - `hidden_by_operator`: the operator of the service has hidden the pull request, its article or the repository.
         *     - `host_forbids_token`: the code host forbids the caller's access token for this public repository, for example
         *       because its organization requires single sign-on; `details.authorizationUrl` may lead further.
         *     - `other_origin`: a request with a session cookie came from a page of another origin.
         *     - `token_owner_mismatch`: the code-host access token belongs to another user.
         *     - `sign_up_not_allowed`: the operator does not let this user sign up; the message says who may.
         *
         *     With UNAUTHENTICATED, if the account is the cause:
         *
         *     - `account_blocked`: the operator of the service has blocked the account, so none of its tokens is accepted.
         *     - `membership_required`: the account depends on the membership of an organization, which has ended, or which this
         *       token cannot confirm. It is checked daily.
         *
         *     With GENERATION_FAILED, if the cause is known:
         *
         *     - `node_lost`: three nodes stopped responding while they generated the article; a new request starts a new job.
         *     - `deadline`, `memory`: reading the pull request exceeded the time or memory limit.
         *     - `model_window_too_small`: the model read only the beginning or the end of the pull request, so nothing it
         *       wrote is published. The message tells the operator what to change.
         *     - `canceled_by_operator`: the operator of the service canceled the job; a new request starts a new job.
         * @enum {string}
         */
        ErrorReason: "favorite_limit" | "token_limit" | "token_scope" | "token_not_allowed" | "private_not_allowed" | "hidden_by_operator" | "host_forbids_token" | "other_origin" | "token_owner_mismatch" | "sign_up_not_allowed" | "account_blocked" | "membership_required" | "node_lost" | "deadline" | "memory" | "model_window_too_small" | "canceled_by_operator";
        ErrorObject: {
            code: components["schemas"]["ErrorCode"];
            details?: components["schemas"]["ErrorDetails"];
            requestId: components["schemas"]["RequestId"];
        };
        /** @description Every error response has this form. */
        Failure: {
            /** @enum {boolean} */
            success: false;
            error: components["schemas"]["ErrorObject"];
            message: components["schemas"]["ResponseMessage"];
        };
        HealthCheck: {
            /** @enum {string} */
            state: "up" | "down";
        };
        /** @description The checks by name. */
        HealthChecks: {
            [key: string]: components["schemas"]["HealthCheck"];
        };
        HealthCheckResponseData: {
            ok: boolean;
            /** @description The version of the service. */
            version: string;
            checks: components["schemas"]["HealthChecks"];
            /** @description With `/readyz`, what the service puts off on all nodes, although it is ready. */
            pauses?: components["schemas"]["HealthPause"][];
        };
        HealthPause: {
            /**
             * @description More values may be added.
             *
             *     - `model`: no article is written with a model, because it is down or asked to be called later.
             *     - `automaticArticles`: merged pull requests are not looked for, because the code host is down or its rate
             *       limit, or that of the service, is used up.
             * @enum {string}
             */
            name: "model" | "automaticArticles";
            /** @description When it is tried again, at most an hour later. */
            until: components["schemas"]["Timestamp"];
        };
        HealthResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["HealthCheckResponseData"];
            message: components["schemas"]["ResponseMessage"];
        };
        SignUpRequest: {
            /** @description The language of the user's articles. If it is missing, `ja`. */
            language?: components["schemas"]["Language"];
            hostAccessToken?: components["schemas"]["HostAccessToken"];
        };
        SaveHostTokenRequest: {
            hostAccessToken: components["schemas"]["HostAccessToken"];
        };
        UpdateCurrentUserRequest: {
            language: components["schemas"]["Language"];
        };
        RegisterFavoriteRequest: {
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
        };
        User: {
            id: components["schemas"]["Uuid"];
            hostUserId: components["schemas"]["HostId"];
            /** @description The login on the code host. */
            hostUsername: string;
            /** @description The display name on the code host, if any. */
            hostDisplayName: string | null;
            /** @description The email address, if the profile shows it. */
            email: string | null;
            /** @description The URL of the avatar image, if any. */
            avatarUrl: string | null;
            language: components["schemas"]["Language"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        UserResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["User"];
            message: components["schemas"]["ResponseMessage"];
        };
        LogoutResponseData: {
            revokedAt: components["schemas"]["Timestamp"];
        };
        Quota: {
            /**
             * @description What the quota counts. `articles`: articles that requests of the user had written on this day. `mistake_reports`: reports on this day. `favorites` and `api_tokens`: what the account holds. The others: requests of this kind in the current minute, as in the header `RateLimit-Policy`; absent if the operator has set no limits.
             * @enum {string}
             */
            name: "articles" | "mistake_reports" | "favorites" | "api_tokens" | "reads" | "search" | "writes" | "host" | "generation";
            limit: components["schemas"]["WholeNumber"];
            used: components["schemas"]["WholeNumber"];
            /** @description When nothing will be used again; null if nothing is used, or only removing something helps. */
            resetsAt: components["schemas"]["Timestamp"] | null;
        };
        UsageResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["Quota"][];
            message: components["schemas"]["ResponseMessage"];
        };
        SessionEndedResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["LogoutResponseData"];
            message: components["schemas"]["ResponseMessage"];
        };
        SavedHostToken: {
            /** @description The login of the token's owner on the code host. */
            hostUsername: string;
            /** @description The scopes of the token as reported by the code host. Empty if it does not report them. */
            scopes: string[];
            savedAt: components["schemas"]["Timestamp"];
        };
        SavedHostTokenResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["SavedHostToken"];
            message: components["schemas"]["ResponseMessage"];
        };
        AuthSession: {
            id: components["schemas"]["Uuid"];
            userId: components["schemas"]["Uuid"];
            /** @description Whether this is the session of the request. */
            current: boolean;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the token expires; null for a code-host token, which is verified with the code host.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the session ended; null if it has not.
             */
            revokedAt: string | null;
        };
        SessionsResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["AuthSession"][];
            pagination: components["schemas"]["CursorPagination"];
            message: components["schemas"]["ResponseMessage"];
        };
        /**
         * @description What an API token may do. `write` includes `read`.
         * @enum {string}
         */
        TokenScope: "read" | "write";
        /** @description What the token is for. */
        TokenName: string;
        TokenScopes: components["schemas"]["TokenScope"][];
        CreateTokenRequest: {
            name: components["schemas"]["TokenName"];
            scopes: components["schemas"]["TokenScopes"];
            /**
             * Format: date-time
             * @description When the token expires, at most a year ahead. By default, 90 days ahead.
             */
            expiresAt?: string;
        };
        ApiToken: {
            id: components["schemas"]["Uuid"];
            name: components["schemas"]["TokenName"];
            scopes: components["schemas"]["TokenScopes"];
            createdAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
        };
        CreatedApiToken: {
            id: components["schemas"]["Uuid"];
            name: components["schemas"]["TokenName"];
            scopes: components["schemas"]["TokenScopes"];
            createdAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
            /** @description The token. Store it now, because it is not shown again. */
            token: string;
        };
        CreatedApiTokenResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["CreatedApiToken"];
            message: components["schemas"]["ResponseMessage"];
        };
        ApiTokensPage: {
            data: components["schemas"]["ApiToken"][];
            pagination: components["schemas"]["CursorPagination"];
        };
        ApiTokensResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["ApiTokensPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        FavoriteRepository: {
            id: components["schemas"]["Uuid"];
            userId: components["schemas"]["Uuid"];
            hostRepoId: components["schemas"]["HostId"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            url: components["schemas"]["RepositoryPageUrl"];
            registeredAt: components["schemas"]["Timestamp"];
            /** @description When the user last marked the repository as seen; at first, when it was registered. */
            seenAt: components["schemas"]["Timestamp"];
            /** @description Number of articles about the repository that this session can read and that were first written after `seenAt`; 100 stands for 100 or more. */
            unreadCount: number;
            automaticArticles: components["schemas"]["AutomaticArticles"];
            /** @description Whether `automaticArticles` also applies to pull requests of bots. */
            includesBots: boolean;
            /** @description Whether the service looks for merged pull requests of the repository by itself. It does so if the operator has turned that on, the repository is public, and a follower's `automaticArticles` is not `off`. */
            watched: boolean;
        };
        /**
         * @description About which merged pull requests the user wants articles without asking: about none, about those with a score of at least 40 (see `listMerges`), or about all. The limits of the service apply.
         * @enum {string}
         */
        AutomaticArticles: "off" | "notable" | "everything";
        UpdateFavoriteRequest: {
            automaticArticles?: components["schemas"]["AutomaticArticles"];
            /** @description Whether `automaticArticles` also applies to pull requests of bots. */
            includesBots?: boolean;
        };
        FavoriteResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["FavoriteRepository"];
            message: components["schemas"]["ResponseMessage"];
        };
        Pagination: {
            /** @description Number of items on all pages. */
            totalItems: number;
            limit: number;
            /** @deprecated */
            offset: number;
            nextCursor: components["schemas"]["NextCursor"] | null;
        };
        /** @description The `cursor` of the next page; null on the last page. Pages before that may hold fewer items than `limit`, even none. */
        NextCursor: string;
        FavoritesPage: {
            data: components["schemas"]["FavoriteRepository"][];
            pagination: components["schemas"]["Pagination"];
        };
        FavoritesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["FavoritesPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        /** @description A repository as the code host shows it to the caller. */
        FoundRepository: {
            hostRepoId: components["schemas"]["HostId"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            url: components["schemas"]["RepositoryPageUrl"];
            /** @description The repository's description of itself; null if it has none. */
            description: string | null;
            private: boolean;
            /** @description Number of users of the code host who starred it. */
            starCount: components["schemas"]["WholeNumber"];
            /** @description Whether it is a favorite of the caller. */
            favorite: boolean;
        };
        FoundRepositories: {
            data: components["schemas"]["FoundRepository"][];
            pagination: components["schemas"]["CursorPagination"];
            /** @description Whether the code host ended the search early, so that repositories may be missing. */
            isIncomplete: boolean;
        };
        FoundRepositoriesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["FoundRepositories"];
            message: components["schemas"]["ResponseMessage"];
        };
        /** Format: int32 */
        PullRequestNumber: number;
        /** Format: int64 */
        WholeNumber: number;
        /**
         * Format: int64
         * @description Higher counts are given as the maximum.
         */
        CappedCount: number;
        /** @description A login on the code host; `ghost` if the account no longer exists. */
        HostLogin: string;
        /** @description The title of a pull request or issue on the code host. */
        HostTitle: string;
        CommitId: string;
        /**
         * Format: uri
         * @description The web page of the article. Without `language` in its query, it shows the language that suits the reader.
         */
        ArticlePageUrl: string;
        /**
         * Format: uri
         * @description The web page of the repository, with its articles.
         */
        RepositoryPageUrl: string;
        /**
         * Format: uri
         * @description The web page of the pull request, which leads to the article if there is one.
         */
        PullRequestPageUrl: string;
        /** Format: uri */
        HostUrl: string;
        /** @description Owner and name, separated by a slash. */
        RepositoryFullName: string;
        /** @enum {string} */
        PullRequestState: "open" | "closed";
        /** @description A complete, consistent snapshot of a pull request. Data that the code host does not provide or that exceeds the limits below is counted in `leftOut` and marked where it is missing; nothing is truncated silently. */
        PullRequest: {
            prNumber: components["schemas"]["PullRequestNumber"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            hostPrUrl: components["schemas"]["HostUrl"];
            url: components["schemas"]["PullRequestPageUrl"];
            title: components["schemas"]["HostTitle"];
            /** @description The description of the pull request; null if there is none. */
            body: string | null;
            /** @description Whether the description was truncated to 65,536 characters. */
            bodyTruncated: boolean;
            /** @description A unified diff with one section per item of `files`, in the same order. Each section starts with a `diff --git` line. Patches of more than 1,000,000 characters, and patches that would make the diff longer than 10,000,000, are omitted; their sections have only a header. The diff comes from the code host if it provides the complete diff (up to 300 files and 20,000 lines). Otherwise it is assembled from the patches of the files, without `index` lines. */
            diff: string;
            /** @description Whether `diff` lacks lines of a changed file. */
            diffTruncated: boolean;
            authorLogin: components["schemas"]["HostLogin"];
            state: components["schemas"]["PullRequestState"];
            merged: boolean;
            draft: boolean;
            /** @description When the pull request was merged; null if it is not merged. */
            mergedAt: components["schemas"]["Timestamp"] | null;
            /** @description Whether the author is a bot. */
            authorIsBot: boolean;
            labels: components["schemas"]["Labels"];
            /** @description The title of the milestone; null if there is none. */
            milestone: string | null;
            /** @description The branch that the pull request is merged into. */
            baseBranch: string | null;
            /** @description The repository's description of itself; null if there is none. */
            repositoryDescription: string | null;
            headSha: components["schemas"]["CommitId"];
            baseSha: components["schemas"]["CommitId"];
            additions: components["schemas"]["WholeNumber"];
            deletions: components["schemas"]["WholeNumber"];
            changedFiles: components["schemas"]["WholeNumber"];
            commitCount: components["schemas"]["WholeNumber"];
            commentCount: components["schemas"]["WholeNumber"];
            reviewCommentCount: components["schemas"]["WholeNumber"];
            hostPrCreatedAt: components["schemas"]["Timestamp"];
            hostPrUpdatedAt: components["schemas"]["Timestamp"];
            fetchedAt: components["schemas"]["Timestamp"];
            leftOut: components["schemas"]["LeftOut"];
            /** @description The commits, oldest first. Code hosts list up to 250. */
            commits: components["schemas"]["PullRequestCommit"][];
            /** @description Comments, review comments and reviews, oldest first. At most the first 5,000, with 5,000,000 characters in total. */
            comments: components["schemas"]["PullRequestComment"][];
            /** @description The changed files. Code hosts list up to 3,000. Files beyond a total path length of 500,000 characters are omitted. */
            files: components["schemas"]["PullRequestFile"][];
            /** @description Issues of the same repository that the title, description, commits or comments refer to by number or address. Issues to be closed come first. Issues that the code host does not return, or that were moved to another repository, are omitted. */
            linkedIssues: components["schemas"]["LinkedIssue"][];
        };
        /** @description The names of the labels. */
        Labels: string[];
        /** @description An issue, or another pull request, that a pull request refers to. */
        LinkedIssue: {
            number: components["schemas"]["PullRequestNumber"];
            title: components["schemas"]["HostTitle"];
            /** @description The description of the issue; null if there is none. */
            body: string | null;
            /** @description Whether the description was truncated to 20,000 characters. */
            bodyTruncated: boolean;
            state: components["schemas"]["PullRequestState"];
            authorLogin: components["schemas"]["HostLogin"];
            labels: components["schemas"]["Labels"];
            /** @description Whether the title, the description or a commit names the issue after a closing keyword such as `fixes`. */
            closes: boolean;
            url: components["schemas"]["HostUrl"];
        };
        /** @description How many items of each kind the code host reports that are missing from this pull request. */
        LeftOut: {
            files: components["schemas"]["WholeNumber"];
            /** @description Number of files whose changed lines are not in `diff`. */
            patches: number;
            comments: components["schemas"]["WholeNumber"];
            commits: components["schemas"]["WholeNumber"];
        };
        PullRequestCommit: {
            sha: components["schemas"]["CommitId"];
            message: string;
            /** @description Whether the message was truncated to 65,536 characters. */
            truncated: boolean;
            author: components["schemas"]["HostLogin"];
            /** Format: date-time */
            authoredAt: string | null;
        };
        PullRequestComment: {
            /**
             * @description A comment on the pull request, a comment on a line, or a review.
             * @enum {string}
             */
            kind: "comment" | "reviewComment" | "review";
            author: components["schemas"]["HostLogin"];
            body: string;
            /** @description Whether the body was truncated to 65,536 characters. */
            truncated: boolean;
            createdAt: components["schemas"]["Timestamp"];
            /** @description The file a review comment is about. */
            path: string | null;
            /** @description The line a review comment is about, if it still exists. */
            line: number | null;
            /** @description The state of a review, such as `APPROVED` or `CHANGES_REQUESTED`. */
            reviewState: string | null;
            /**
             * Format: uri
             * @description The comment on the code host.
             */
            url: string | null;
        };
        PullRequestFile: {
            path: string;
            /** @description The path before the file was renamed or copied. */
            previousPath: string | null;
            /** @enum {string} */
            status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed" | "unchanged";
            additions: components["schemas"]["WholeNumber"];
            deletions: components["schemas"]["WholeNumber"];
            /**
             * @description Whether the changed lines are in `diff`. `text`: all of them. `partial`: fewer than the code host counts. `none`: no line changed, as in a plain rename. `binary`: the file has no lines. `tooLarge`: the code host provides no patch. `leftOut`: the patch exceeds the limits of the service.
             * @enum {string}
             */
            patch: "text" | "partial" | "none" | "binary" | "tooLarge" | "leftOut";
            /** @description The id of the file's content; null if the code host does not tell. */
            blobSha: string | null;
            /** @description Whether `.gitattributes` of the head commit marks the file as `linguist-generated`. Read for pull requests with more than 2,000 changed lines only; otherwise false. */
            generated: boolean;
        };
        PullRequestResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["PullRequest"];
            message: components["schemas"]["ResponseMessage"];
        };
        PullRequestSummary: {
            prNumber: components["schemas"]["PullRequestNumber"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            hostPrUrl: components["schemas"]["HostUrl"];
            url: components["schemas"]["PullRequestPageUrl"];
            title: components["schemas"]["HostTitle"];
            authorLogin: components["schemas"]["HostLogin"];
            state: components["schemas"]["PullRequestState"];
            merged: boolean;
            draft: boolean;
            hostPrCreatedAt: components["schemas"]["Timestamp"];
            hostPrUpdatedAt: components["schemas"]["Timestamp"];
            /** @description Whether there is an article about the pull request in any language. */
            articleExists: boolean;
            articleId: components["schemas"]["Uuid"] | null;
            /** @description The lead of the article in the language of the user, else in another language. Restricted Markdown. Null if there is no article. */
            lead: components["schemas"]["LeadText"] | null;
            /** @description The language of `lead`; null without one. */
            leadLanguage: components["schemas"]["Language"] | null;
        };
        /** @description Pagination of a list from the code host, which gives no total. */
        HostPagination: {
            totalItems: null;
            limit: number;
            /** @deprecated */
            offset: number;
            /** @description Whether there are more items among the newest 300. */
            hasMore: boolean;
            nextCursor: components["schemas"]["NextCursor"] | null;
        };
        PullRequestsPage: {
            data: components["schemas"]["PullRequestSummary"][];
            pagination: components["schemas"]["HostPagination"];
            asOf: components["schemas"]["Timestamp"];
        };
        PullRequestsResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["PullRequestsPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        /** @description A favorite whose pull requests could not be fetched in time. */
        UnavailableFavorite: {
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            code: components["schemas"]["ErrorCode"];
            /**
             * Format: date-time
             * @description When the returned pull requests of this favorite were fetched; null if none are returned.
             */
            shownAsOf: string | null;
        };
        FeedPage: {
            /** @description On the first page, the articles about favorites that were first written after the `seenAt` of the favorite, newest first. `markFavoriteSeen` empties it. */
            newArticles: components["schemas"]["ListedArticle"][];
            data: components["schemas"]["PullRequestSummary"][];
            pagination: components["schemas"]["HostPagination"];
            unavailable: components["schemas"]["UnavailableFavorite"][];
        };
        FeedResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["FeedPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        GenerateArticleRequest: {
            /** @description The language of the article. If it is missing, the language of the user. */
            language?: components["schemas"]["Language"];
            /** @description Whether to regenerate the article if it already exists. If it is missing, false. */
            force?: boolean;
        };
        /** @description The headline of the article. */
        ArticleTitle: string;
        /** @enum {string} */
        ChangeTypeEnum: "FEAT" | "FIX" | "REFACTOR" | "DOCS" | "TEST" | "PERF" | "BUILD" | "CHORE";
        /** @enum {string} */
        CategoryEnum: "TECH" | "RISK" | "UX" | "PERF" | "SECURITY";
        /** @description The lines of the diff that support a claim. `startLine` and `endLine` are null if the file has no lines in the diff (renamed, binary or mode change); the evidence is then the whole file. */
        Evidence: {
            /** @description The path of a changed file. */
            path: string;
            /**
             * @description Whether the line numbers refer to the file before or after the change.
             * @enum {string}
             */
            side: "old" | "new";
            /** @description The number of the first line on that side. */
            startLine: number | null;
            /** @description The number of the last line on that side. */
            endLine: number | null;
            /**
             * Format: uri
             * @description A link to the lines on the code host, at the head commit of the article.
             */
            url: string;
            /** @description The lines themselves, with the lines of the other side between them. Only with `evidenceLines=true`; null if they are not available. */
            lines?: components["schemas"]["EvidenceLine"][] | null;
            /** @description Number of lines that are missing at the end of `lines`; 0 if `lines` is null. Only with `evidenceLines=true`. */
            linesOmitted?: number;
        };
        EvidenceLine: {
            /** @enum {string} */
            change: "kept" | "added" | "removed";
            /** @description The number of the line before the change; null for an added line. */
            oldNumber: number | null;
            /** @description The number of the line after the change; null for a removed line. */
            newNumber: number | null;
            /** @description The line without its line break. Long lines are cut and end with `…`. */
            text: string;
        };
        /**
         * @description What a claim rests on. `diff`: the cited lines show it. `inferred`: a conclusion from the cited lines. `general`: general knowledge of a public language, runtime or library.
         * @enum {string}
         */
        Basis: "diff" | "inferred" | "general";
        /** @description The first two or three sentences. */
        Lead: {
            /** @description What changed for users, and whether it concerns the reader. Restricted Markdown. */
            text: string;
            basis: components["schemas"]["Basis"];
            evidence: components["schemas"]["EvidenceList"];
        };
        /** @description The lead of the article. Restricted Markdown. */
        LeadText: string;
        /** @description The lines of the diff that support the text. */
        EvidenceList: components["schemas"]["Evidence"][];
        /**
         * @description What updating means for existing code. `none`: nothing changes. `addition`: something new, existing code is unaffected. `behavior`: existing code runs and may behave differently. `breaking`: existing code may fail.
         * @enum {string}
         */
        Compatibility: "none" | "addition" | "behavior" | "breaking";
        /** @description Whom the change affects. */
        Impact: {
            /** @description Who notices the change, in one clause. */
            affected: string;
            compatibility: components["schemas"]["Compatibility"];
            /** @description Why the compatibility is as stated, in one line. */
            reason: string;
            /** @description What those affected should do; null if there is nothing to do. */
            action: string | null;
            /** @description The release or milestone that contains the change; null if the pull request does not tell. */
            since: string | null;
            evidence: components["schemas"]["EvidenceList"];
        };
        /** @description One reason for the change, with a verified quote or verified lines. */
        Reason: {
            /** @description Restricted Markdown. */
            text: string;
            /**
             * @description `stated`: a person gave the reason, quoted in `sources`. `diff` and `inferred`: the lines in `evidence` show it or imply it. `general`: general knowledge explains what the quotes or lines show.
             * @enum {string}
             */
            basis: "stated" | "diff" | "inferred" | "general";
            sources: components["schemas"]["Source"][];
            evidence: components["schemas"]["EvidenceList"];
        };
        /** @description A quote from the pull request or from an issue that it links to. */
        Source: {
            /** @enum {string} */
            kind: "description" | "commit" | "comment" | "review" | "issue";
            /** @description The words of the source, as they are, apart from white space. Plain text. */
            quote: string;
            /**
             * Format: uri
             * @description The source on the code host.
             */
            url: string;
        };
        /** @description Code, an example or a table. */
        Figure: components["schemas"]["CodeFigure"] | components["schemas"]["ExampleFigure"] | components["schemas"]["TableFigure"];
        /** @description Lines of the project before and after the change. At least one side is set. */
        CodeFigure: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "code";
            before: components["schemas"]["CodeSide"] | null;
            after: components["schemas"]["CodeSide"] | null;
            /** @description What to look at. Restricted Markdown. */
            caption: string;
        };
        /** @description Lines of one file on one side of the change, cut from the pull request. Secrets are masked. */
        CodeSide: {
            path: string;
            ranges: components["schemas"]["LineRange"][];
            /** @description The lines of all ranges, in order. Where numbers are missing, lines were left out. */
            lines: components["schemas"]["CodeLine"][];
            /**
             * Format: uri
             * @description The first range on the code host.
             */
            url: string;
        };
        LineRange: {
            startLine: number;
            endLine: number;
        };
        CodeLine: {
            number: number;
            text: string;
        };
        /** @description What a user would write. An illustration, not a part of the project. */
        ExampleFigure: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "example";
            /** @description The language of the code, such as `ts` or `yaml`. */
            codeLanguage: string;
            text: string;
            /** @description What the example shows. Restricted Markdown. */
            note: string;
        };
        TableFigure: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "table";
            caption: string;
            columns: string[];
            /** @description Each row has as many cells as there are columns. Restricted Markdown. */
            rows: string[][];
        };
        /** @description A flow of three to seven steps. */
        Diagram: {
            caption: string;
            nodes: components["schemas"]["DiagramNode"][];
            edges: components["schemas"]["DiagramEdge"][];
        };
        DiagramNode: {
            id: string;
            label: string;
        };
        DiagramEdge: {
            /** @description The id of a node. */
            from: string;
            /** @description The id of a node. */
            to: string;
            label: string | null;
        };
        /** @description A statement of the pull request's description that the diff does not show or contradicts. */
        Mismatch: {
            /** @description What the diff shows instead. Restricted Markdown. */
            text: string;
            /** @description The statement, verbatim apart from white space. Plain text. */
            quote: string;
            evidence: components["schemas"]["EvidenceList"];
        };
        Term: {
            term: string;
            meaning: string;
        };
        MainChange: {
            /** @description The point of the section, in a few words. */
            heading: string | null;
            /** @description The path of the file in which the change is mainly made. */
            fileName: string;
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description What changed and how it works now. Restricted Markdown. */
            description: string;
            basis: components["schemas"]["Basis"] | null;
            /** @description Code, examples and tables of the section, in the order of reading. */
            figures: components["schemas"]["Figure"][];
            /** @description The lines that support the description, at least one of them in `fileName`. */
            evidence: components["schemas"]["Evidence"][];
        };
        NotablePoint: {
            /** @description 1 is the highest. */
            importance: number | null;
            categories: components["schemas"]["CategoryEnum"][];
            /** @description What readers should know about the change. Restricted Markdown. */
            point: string;
            basis: components["schemas"]["Basis"] | null;
            /** @description The lines that support the point. */
            evidence: components["schemas"]["Evidence"][];
        };
        CoveredFile: {
            path: string;
            /** @enum {string} */
            kind: "source" | "test" | "docs" | "configuration" | "generated" | "lockFile" | "vendored" | "minified" | "snapshot" | "binary";
            /** @enum {string} */
            state: "read" | "partlyRead" | "skipped";
            /** @description Null if the file was read completely. */
            reason: components["schemas"]["SkipReason"] | null;
        };
        /**
         * @description Why a file was skipped or read only in part. `lockFile`, `generated`, `vendored`, `minified`, `snapshot` and `binary`: files of this kind are not read. `noPatch`: the code host provided no lines, or fewer than it counts. `tooLarge`: the patch exceeds the limits of a stored pull request. `longLines`: long lines were truncated. `budget`: the input limit for one article was reached.
         * @enum {string}
         */
        SkipReason: "lockFile" | "generated" | "vendored" | "minified" | "snapshot" | "binary" | "noPatch" | "tooLarge" | "longLines" | "budget";
        /** @description How many of all items were read. */
        ReadShare: {
            read: components["schemas"]["WholeNumber"];
            total: components["schemas"]["WholeNumber"];
        };
        /** @description What the generator read of the pull request. `read`, `partlyRead`, `skipped` and `notListed` add up to `changedFiles`. */
        Coverage: {
            changedFiles: components["schemas"]["WholeNumber"];
            read: components["schemas"]["WholeNumber"];
            partlyRead: components["schemas"]["WholeNumber"];
            skipped: components["schemas"]["WholeNumber"];
            /** @description Number of changed files that are not in `files`, because the code host does not list them or because the list has reached its limit of about 460 KB of paths. */
            notListed: number;
            files: components["schemas"]["CoveredFile"][];
            /**
             * @description Whether the description of the pull request was read.
             * @enum {string}
             */
            description: "read" | "partlyRead" | "none";
            commits: components["schemas"]["ReadShare"];
            comments: components["schemas"]["ReadShare"];
            /** @description Number of possible secrets that were masked before the pull request was read. */
            secretsMasked: number;
            /** @description Number of claims of the model that failed verification and were removed. */
            claimsDropped: number;
        };
        /** @description What generated a text, and the resources it used. */
        ArticleGenerator: {
            /**
             * @description Written by a model, or an outline made without a model.
             * @enum {string}
             */
            kind: "model" | "outline";
            model: string | null;
            promptVersion: string;
            /** @description The language of the verified text this was translated from; null if it is not a translation. */
            translatedFrom: string | null;
            inputTokens: components["schemas"]["WholeNumber"];
            /** @description Input tokens that the model's server read from its cache. */
            cachedTokens?: components["schemas"]["WholeNumber"];
            /** @description Input tokens that the model's server wrote to its cache. */
            cacheWriteTokens?: components["schemas"]["WholeNumber"];
            outputTokens: components["schemas"]["WholeNumber"];
            /** @description Output tokens that the model spent on reasoning. */
            reasoningTokens?: components["schemas"]["WholeNumber"];
            calls: components["schemas"]["WholeNumber"];
            milliseconds: components["schemas"]["WholeNumber"];
        };
        /** @description The article in one language. Texts are plain or restricted Markdown, a part of CommonMark: paragraphs, `*emphasis*` and `**strong emphasis**`, code spans, backslash escapes, bulleted and numbered lists, and links `[text](url)` to the code host. It has no headings, images, HTML, code blocks, tables, quotes or references. */
        ArticleContent: {
            aiGeneratedTitle: components["schemas"]["ArticleTitle"];
            /** @description Null in outlines of changes whose author describes nothing. */
            lead: components["schemas"]["Lead"] | null;
            /** @description Null in outlines of changes whose author declares nothing about it. */
            impact: components["schemas"]["Impact"] | null;
            /** @description Why the change was made; empty in outlines. */
            reasons: components["schemas"]["Reason"][];
            /** @description Why the change was made, as one text; null if the pull request does not tell. The texts of `reasons`, where there are any; in outlines, quotations of the author and the size of the change. */
            backgroundAndPurpose: string | null;
            /** @description The changes, most important first. */
            mainChanges: components["schemas"]["MainChange"][];
            /** @description Null if the article has no diagram. */
            diagram: components["schemas"]["Diagram"] | null;
            /** @description Other points worth knowing, such as risks. The most important first. */
            notablePoints: components["schemas"]["NotablePoint"][];
            /** @description Statements of the description that the diff does not show. Usually empty. */
            mismatches: components["schemas"]["Mismatch"][];
            /** @description Words that a reader may not know. */
            terms: components["schemas"]["Term"][];
            /** @description Number of likes of the text in this language. */
            likeCount: components["schemas"]["WholeNumber"];
            /** @description Whether the caller likes this text; null for a caller without an account. */
            liked: boolean | null;
            summaryGeneratedAt: components["schemas"]["Timestamp"];
            headSha: components["schemas"]["CommitId"];
            /** @description Whether the head commit of the pull request has changed since. */
            stale: boolean;
            coverage: components["schemas"]["Coverage"];
            generator: components["schemas"]["ArticleGenerator"];
        };
        /** @description The article in one language as Markdown (CommonMark with tables), with everything that its page shows. */
        ArticleMarkdown: string;
        /** @description The article in one language as an HTML document, as its page shows it, without scripts. Its content security policy lets it load nothing but its style sheet. */
        ArticleHtml: string;
        /** @description The article about a pull request, in every language it was written in. */
        PullRequestArticle: {
            id: components["schemas"]["Uuid"];
            prNumber: components["schemas"]["PullRequestNumber"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            hostPrUrl: components["schemas"]["HostUrl"];
            url: components["schemas"]["ArticlePageUrl"];
            title: components["schemas"]["HostTitle"];
            authorLogin: components["schemas"]["HostLogin"];
            /** @description Whether the author is a bot. */
            authorIsBot: boolean;
            state: components["schemas"]["PullRequestState"];
            merged: boolean;
            /** @description When the pull request was merged; null if it is not merged. */
            mergedAt: components["schemas"]["Timestamp"] | null;
            draft: boolean;
            labels: components["schemas"]["Labels"];
            additions: components["schemas"]["CappedCount"];
            deletions: components["schemas"]["CappedCount"];
            changedFiles: components["schemas"]["CappedCount"];
            hostPrCreatedAt: components["schemas"]["Timestamp"];
            /** @description The current text in each language, by language code. */
            contents: {
                [key: string]: components["schemas"]["ArticleContent"];
            };
            /** @description Number of likes of the texts in all languages. */
            totalLikeCount: components["schemas"]["WholeNumber"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        ArticleResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["PullRequestArticle"];
            message: components["schemas"]["ResponseMessage"];
        };
        /** @description Why a job failed. */
        ArticleJobError: {
            code: components["schemas"]["ErrorCode"];
            message: components["schemas"]["ResponseMessage"];
            reason?: components["schemas"]["ErrorReason"];
            /** @description With GENERATION_FAILED, what exactly was wrong, a line for each fault: for example the claims of the model that could not be verified. It may quote the model and the pull request: treat it as untrusted text. */
            cause?: string;
        };
        /** @description A job that generates an article in one language. `status` tells which members are set. */
        ArticleJob: components["schemas"]["UnfinishedArticleJob"] | components["schemas"]["SucceededArticleJob"] | components["schemas"]["FailedArticleJob"];
        UnfinishedArticleJob: {
            id: components["schemas"]["Uuid"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            prNumber: components["schemas"]["PullRequestNumber"];
            /** @description The title of the pull request; null if it was fetched while the repository was private, and the repository is public now. */
            title: string | null;
            language: components["schemas"]["Language"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "queued" | "running";
            /** @enum {string} */
            stage: "queued" | "reading" | "writing" | "checking" | "translating" | "storing" | "done";
            progress: number;
            error: null;
            articleId: null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        SucceededArticleJob: {
            id: components["schemas"]["Uuid"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            prNumber: components["schemas"]["PullRequestNumber"];
            /** @description The title of the pull request; null if it was fetched while the repository was private, and the repository is public now. */
            title: string | null;
            language: components["schemas"]["Language"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "succeeded";
            /** @enum {string} */
            stage: "queued" | "reading" | "writing" | "checking" | "translating" | "storing" | "done";
            progress: number;
            error: null;
            articleId: components["schemas"]["Uuid"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        FailedArticleJob: {
            id: components["schemas"]["Uuid"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            prNumber: components["schemas"]["PullRequestNumber"];
            /** @description The title of the pull request; null if it was fetched while the repository was private, and the repository is public now. */
            title: string | null;
            language: components["schemas"]["Language"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "failed";
            /** @enum {string} */
            stage: "queued" | "reading" | "writing" | "checking" | "translating" | "storing" | "done";
            progress: number;
            error: components["schemas"]["ArticleJobError"];
            articleId: null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        ArticleJobResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["ArticleJob"];
            message: components["schemas"]["ResponseMessage"];
        };
        ArticleJobsPage: {
            data: components["schemas"]["ArticleJob"][];
            pagination: components["schemas"]["CursorPagination"];
        };
        ArticleJobsResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["ArticleJobsPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        ArticleLike: {
            id: components["schemas"]["Uuid"];
            userId: components["schemas"]["Uuid"];
            articleId: components["schemas"]["Uuid"];
            languageCode: components["schemas"]["Language"];
            likedAt: components["schemas"]["Timestamp"];
        };
        LikeResult: {
            like: components["schemas"]["ArticleLike"];
            /** @description Number of likes of the text in this language. */
            likeCount: components["schemas"]["WholeNumber"];
            /** @description Whether the caller had already liked the article. */
            alreadyLiked: boolean;
        };
        LikeResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["LikeResult"];
            message: components["schemas"]["ResponseMessage"];
        };
        UnlikeResult: {
            /** @description Number of likes of the text in this language. */
            likeCount: components["schemas"]["WholeNumber"];
        };
        UnlikeResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["UnlikeResult"];
            message: components["schemas"]["ResponseMessage"];
        };
        ReportMistakeRequest: {
            /** @description What is wrong, and how the caller knows. */
            description: string;
            /** @description The passage of the article that is wrong. */
            quote?: string;
        };
        MistakeReport: {
            id: components["schemas"]["Uuid"];
            createdAt: components["schemas"]["Timestamp"];
        };
        MistakeReportResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["MistakeReport"];
            message: components["schemas"]["ResponseMessage"];
        };
        /** @description A liked article in one language. */
        LikedArticleInfo: {
            articleId: components["schemas"]["Uuid"];
            languageCode: components["schemas"]["Language"];
            likedAt: components["schemas"]["Timestamp"];
            aiGeneratedTitle: components["schemas"]["ArticleTitle"];
            lead: components["schemas"]["LeadText"] | null;
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            prNumber: components["schemas"]["PullRequestNumber"];
            url: components["schemas"]["ArticlePageUrl"];
            /** @description Number of likes of the text in this language. */
            likeCount: components["schemas"]["WholeNumber"];
        };
        LikedArticlesPage: {
            data: components["schemas"]["LikedArticleInfo"][];
            pagination: components["schemas"]["Pagination"];
        };
        LikedArticlesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["LikedArticlesPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        /** @description An article in one language and its rank. */
        RankedArticleInfo: {
            /**
             * Format: int32
             * @description The position in the ranking, starting at 1.
             */
            rank: number;
            articleId: components["schemas"]["Uuid"];
            languageCode: components["schemas"]["Language"];
            aiGeneratedTitle: components["schemas"]["ArticleTitle"];
            lead: components["schemas"]["LeadText"] | null;
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            prNumber: components["schemas"]["PullRequestNumber"];
            url: components["schemas"]["ArticlePageUrl"];
            /**
             * @deprecated
             * @description The same as `periodLikeCount`. Works until 2027-12-31.
             */
            likeCount: components["schemas"]["WholeNumber"];
            /** @description Number of likes in the period, without likes that were removed. */
            periodLikeCount: components["schemas"]["WholeNumber"];
            /** @description Whether the caller likes the article; null for a caller without an account. */
            liked: boolean | null;
        };
        RankingPage: {
            data: components["schemas"]["RankedArticleInfo"][];
            pagination: components["schemas"]["Pagination"];
        };
        RankingResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["RankingPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        CursorPagination: {
            limit: number;
            nextCursor: components["schemas"]["NextCursor"] | null;
        };
        /** @description As `impact` of the text. */
        ShortImpact: {
            compatibility: components["schemas"]["Compatibility"];
            /** @description Who notices the change, in one clause. */
            affected: string;
        };
        /** @description The text around the first match of a search, or the beginning of the text, without marks, if the match is elsewhere, such as in the title. */
        Snippet: {
            /** @description Plain text. */
            text: string;
            /** @description The matches in `text`, in order. */
            marks: components["schemas"]["SnippetMark"][];
        };
        SnippetMark: {
            /** @description Where the match begins, in UTF-16 code units. */
            start: number;
            /** @description The position after the match. */
            end: number;
        };
        /** @description An article in one language. */
        ListedArticle: {
            articleId: components["schemas"]["Uuid"];
            languageCode: components["schemas"]["Language"];
            /** @description The languages in which there is a text. */
            languages: components["schemas"]["Language"][];
            /**
             * @description Whether a model wrote the text, or it is an outline made from the diff without one.
             * @enum {string}
             */
            kind: "model" | "outline";
            aiGeneratedTitle: components["schemas"]["ArticleTitle"];
            lead: components["schemas"]["LeadText"] | null;
            impact: components["schemas"]["ShortImpact"] | null;
            /** @description The types of all sections. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            prNumber: components["schemas"]["PullRequestNumber"];
            hostPrUrl: components["schemas"]["HostUrl"];
            url: components["schemas"]["ArticlePageUrl"];
            authorLogin: components["schemas"]["HostLogin"];
            /** @description Whether the author is a bot. */
            authorIsBot: boolean;
            state: components["schemas"]["PullRequestState"];
            draft: boolean;
            merged: boolean;
            /** @description When the pull request was merged; null if it is not merged. */
            mergedAt: components["schemas"]["Timestamp"] | null;
            /** @description When the pull request was opened. */
            hostPrCreatedAt: components["schemas"]["Timestamp"];
            labels: components["schemas"]["Labels"];
            /** @description The estimated reading time. */
            readingMinutes: number;
            /** @description Number of likes of the texts in all languages. */
            totalLikeCount: components["schemas"]["WholeNumber"];
            /** @description Whether the caller likes the text in `languageCode`; null for a caller without an account. */
            liked: boolean | null;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Null without words or phrases to search for. */
            snippet: components["schemas"]["Snippet"] | null;
        };
        ArticlesPage: {
            data: components["schemas"]["ListedArticle"][];
            pagination: components["schemas"]["CursorPagination"];
            /** @description Whether more than 1,000 articles matched, and only the newest 1,000 were sorted by relevance. */
            isLimited: boolean;
        };
        ArticlesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["ArticlesPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        /**
         * @description What became of a merged pull request: to be scored or written next (`queued`), waiting for the budget of another day (`waiting`), with an article (`written`), without one for the `reason` given (`skipped`), or without one after an `error` (`failed`).
         * @enum {string}
         */
        MergeStatus: "queued" | "waiting" | "written" | "skipped" | "failed";
        /**
         * @description Why no article was written: the pull request was merged before watching began (`earlier`); a bot opened it and no follower wants those (`bot`); its score is too low (`low_score`); no follower wants automatic articles any more (`not_wanted`); it waited for a day, and others with higher scores used up the budget (`budget_spent`); the pull request or its repository can no longer be read by everyone (`gone`); the operator had hidden it when it was its turn (`hidden`).
         * @enum {string}
         */
        MergeReason: "earlier" | "bot" | "low_score" | "not_wanted" | "budget_spent" | "gone" | "hidden";
        MergeFactor: {
            /** @description Identifies the rule, such as `feature`. New rules may be added. */
            name: string;
            points: number;
            /** @description The number in `text`, such as that of changed lines, if there is one. */
            count: number | null;
            /** @description The rule in words, in English. */
            text: string;
        };
        Merge: {
            prNumber: components["schemas"]["PullRequestNumber"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            hostPrUrl: components["schemas"]["HostUrl"];
            url: components["schemas"]["PullRequestPageUrl"];
            title: components["schemas"]["HostTitle"];
            authorLogin: components["schemas"]["HostLogin"];
            authorIsBot: boolean;
            mergedAt: components["schemas"]["Timestamp"];
            /** @description When the service found it. */
            foundAt: components["schemas"]["Timestamp"];
            /** @description Whether it was merged before watching began. About these, no article is written without asking. */
            earlier: boolean;
            status: components["schemas"]["MergeStatus"];
            /** @description Set if `status` is `skipped`. */
            reason: components["schemas"]["MergeReason"] | null;
            /** @description How notable the change is, computed from its files, title, labels, author, discussion and linked issues; null if it was not computed. */
            score: number | null;
            /** @description The decision in words, in English. */
            explanation: string;
            factors: components["schemas"]["MergeFactor"][];
            /** @description Set if `status` is `failed`. */
            error: components["schemas"]["ArticleJobError"] | null;
            /** @description When the service tries again, if it does. */
            nextTryAt: components["schemas"]["Timestamp"] | null;
            articleId: components["schemas"]["Uuid"] | null;
        };
        Watching: {
            /** @description When watching began. */
            since: components["schemas"]["Timestamp"];
            /** @description The last check that succeeded. */
            checkedAt: components["schemas"]["Timestamp"] | null;
            nextCheckAt: components["schemas"]["Timestamp"];
        };
        MergesPage: {
            data: components["schemas"]["Merge"][];
            pagination: components["schemas"]["CursorPagination"];
            watching: components["schemas"]["Watching"] | null;
        };
        MergesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["MergesPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        RepositoryWithArticles: {
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            url: components["schemas"]["RepositoryPageUrl"];
            /** @description The repository's description of itself; null if it has none, or it is not known yet. */
            description: string | null;
            articleCount: components["schemas"]["WholeNumber"];
            newestArticleAt: components["schemas"]["Timestamp"];
        };
        RepositoriesPage: {
            data: components["schemas"]["RepositoryWithArticles"][];
            pagination: components["schemas"]["CursorPagination"];
        };
        RepositoriesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["RepositoriesPage"];
            message: components["schemas"]["ResponseMessage"];
        };
        /** @description A delivery of the code host, with any fields. Only ids of it are used. */
        WebhookRequest: {
            [key: string]: unknown;
        };
        WebhookReceipt: {
            receivedAt: components["schemas"]["Timestamp"];
        };
        WebhookResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["WebhookReceipt"];
            message: components["schemas"]["ResponseMessage"];
        };
    };
    responses: {
        /** @description The response has not changed since the `ETag` in `If-None-Match`. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The account. */
        User: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserResponse"];
            };
        };
        /** @description The pull request. */
        PullRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PullRequestResponse"];
            };
        };
        /** @description The article. */
        Article: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ArticleResponse"];
            };
        };
        /** @description The article. */
        ReadArticle: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ArticleResponse"];
                "text/markdown": components["schemas"]["ArticleMarkdown"];
                "text/html": components["schemas"]["ArticleHtml"];
            };
        };
        /** @description No code-host token is saved for this JWT session. */
        HostTokenRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description No code-host token is saved for this JWT session, or the code host forbids the token for this repository. */
        RepositoryForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The operator of the service has hidden the pull request or its repository, or no code-host token is saved for this JWT session, or the code host forbids the token for this repository. */
        PullRequestForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The repository does not exist or the caller cannot access it, or the caller has no account. */
        RepositoryNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The repository is not a favorite, or the caller has no account. */
        FavoriteNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request was sent with an API token, or with a session cookie from another origin. */
        TokenNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Cross-origin request with a session cookie, or an API token without the scope `write`. */
        OtherOrigin: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The article does not exist in this language or the caller cannot access it, or the caller has no account. */
        LikedArticleNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The repository or the pull request does not exist or the caller cannot access it; for a read without `refresh`, also if the pull request is not stored yet. Or the operation requires an account and the caller has none. */
        PullRequestNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request does not match this contract, or cannot be parsed. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The bearer token is missing, not valid, expired or logged out, or its account is blocked. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The bearer token is missing or not valid (UNAUTHENTICATED), or the code host rejected the access token that was sent or saved (HOST_TOKEN_INVALID). */
        HostTokenRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The operator does not let this user sign up, the code-host token belongs to another user, a code-host token is required and missing, or the request was sent with an API token. */
        SignUpForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The token is valid, but its owner has no account. */
        UserNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The path does not support the method of the request. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The user or the IP address made too many requests of one kind (reads, writes, code-host calls, article generations) within a minute; or too many invalid tokens were sent within a minute; or the code host's own rate limit is exhausted (`details.by` is `host`). The limit for invalid tokens is 60 from one address and 600 overall; beyond 600, an address that sent none still gets one check, up to 1,200 overall. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Internal error. The server log has the details under the request id. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request needs the code host, and the code host does not respond. */
        HostUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The database does not respond, or the server is overloaded or shutting down. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description Maximum number of items to return. */
        Limit: number;
        /**
         * @deprecated
         * @description Number of items to skip. Use `cursor` instead; not together with it. Works until 2027-12-31.
         */
        Offset: number;
        /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
        Cursor: string;
        /**
         * @deprecated
         * @description Number of items to skip. `offset` and `limit` together cover the newest 300 items. Use `cursor` instead; not together with it. Works until 2027-12-31.
         */
        HostOffset: number;
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        IfNoneMatch: string;
        /** @description The id of the article. */
        ArticleId: components["schemas"]["Uuid"];
        /** @description Only the text in this language. By default, `contents` holds the texts in all languages. */
        OnlyLanguage: components["schemas"]["Language"];
        /** @description Whether each evidence includes the cited lines of the diff, in `lines` and `linesOmitted`. */
        EvidenceLines: boolean;
        /** @description The language of the article. */
        LangCode: components["schemas"]["Language"];
        /** @description The number of the pull request within its repository. */
        PullNumberParam: components["schemas"]["PullRequestNumber"];
        /** @description The owner of the repository (case-insensitive). */
        OwnerParam: components["schemas"]["Owner"];
        /** @description The name of the repository (case-insensitive). */
        RepoParam: components["schemas"]["Repo"];
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, to include in reports of problems. Errors have it in `error.requestId` too. */
        RequestId: components["schemas"]["RequestId"];
        /** @description The methods that the path supports. */
        Allow: string;
        /** @description The version of this response, for `If-None-Match`. */
        ETag: string;
        /** @description The URL of the next page, with the relation `next`. Absent on the last page. */
        Link: string;
        /** @description Requests of this kind allowed per minute. */
        RateLimitLimit: number;
        /** @description Requests left until the limit resets. */
        RateLimitRemaining: number;
        /** @description Seconds until the limit resets. */
        RateLimitReset: number;
        /** @description The limit as a structured field (RFC 9651, draft-ietf-httpapi-ratelimit-headers): the kind of the request, its quota `q` and the window `w` in seconds. The kinds are reads, search, writes, host and generation. */
        RateLimitPolicy: string;
        /** @description What is left of the limit, as a structured field: the kind of the request, the requests left `r` and the seconds `t` until the limit resets. */
        RateLimit: string;
        /** @description Seconds to wait before retrying. */
        RetryAfter: number;
        /** @description The authentication scheme, and why the token was rejected. */
        WWWAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            500: components["responses"]["InternalServerError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            500: components["responses"]["InternalServerError"];
            /** @description Not ready. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SignUpRequest"];
            };
        };
        responses: {
            /** @description The account was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["SignUpForbidden"];
            405: components["responses"]["MethodNotAllowed"];
            /** @description The account already exists. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token has been revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEndedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    saveHostToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveHostTokenRequest"];
            };
        };
        responses: {
            /** @description The token was saved. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedHostTokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            /** @description The token belongs to another user of the code host, or the request was sent with an API token. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["TokenNotAllowed"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session, from `listSessions`. */
                sessionId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["TokenNotAllowed"];
            /** @description The account has no such session, or the caller has no account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["User"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterFavoriteRequest"];
            };
        };
        responses: {
            /** @description The repository is already a favorite; the existing record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            /** @description The favorite was added. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            /** @description The account has 100 favorites, or no code-host token is saved for this JWT session, or the code host forbids the token for this repository, or a request with a session cookie came from another origin. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The repository does not exist or the caller cannot access it, or the caller has no account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account was deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["TokenNotAllowed"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCurrentUserRequest"];
            };
        };
        responses: {
            200: components["responses"]["User"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quotas. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokensResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["TokenNotAllowed"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTokenRequest"];
            };
        };
        responses: {
            /** @description The token was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiTokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The account has 20 API tokens, or the request was sent with an API token, or with a session cookie from another origin. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the token, from `listTokens`. */
                tokenId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["TokenNotAllowed"];
            /** @description The account has no such token, or the caller has no account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFavorites: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @deprecated
                 * @description Number of items to skip. Use `cursor` instead; not together with it. Works until 2027-12-31.
                 */
                offset?: components["parameters"]["Offset"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of favorites. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoritesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterFavoriteRequest"];
            };
        };
        responses: {
            /** @description The repository is already a favorite; the existing record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            /** @description The favorite was added. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            /** @description The account has 100 favorites, or no code-host token is saved for this JWT session, or the code host forbids the token for this repository, or a request with a session cookie came from another origin. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The repository does not exist or the caller cannot access it, or the caller has no account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The favorite was removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["FavoriteNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFavoriteRequest"];
            };
        };
        responses: {
            /** @description The favorite with its settings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["FavoriteNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markFavoriteSeen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The favorite, with nothing unread. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["FavoriteNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLikedArticles: {
        parameters: {
            query?: {
                /** @description Only likes of articles in this language. By default, likes in all languages. */
                language?: components["schemas"]["Language"];
                /**
                 * @deprecated
                 * @description The former name of `language`; if both are given, they must be equal. Works until 2027-12-31.
                 */
                lang?: components["schemas"]["Language"];
                /** @description Sort order by time of the like. The default is newest first. */
                sort?: "likedAt_desc" | "likedAt_asc";
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @deprecated
                 * @description Number of items to skip. Use `cursor` instead; not together with it. Works until 2027-12-31.
                 */
                offset?: components["parameters"]["Offset"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of liked articles. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikedArticlesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listArticleJobs: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleJobsResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFeed: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @deprecated
                 * @description Number of items to skip. `offset` and `limit` together cover the newest 300 items. Use `cursor` instead; not together with it. Works until 2027-12-31.
                 */
                offset?: components["parameters"]["HostOffset"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the feed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchHostRepositories: {
        parameters: {
            query: {
                /** @description Words to search for, in the code host's own search syntax. */
                q: string;
                /** @description Maximum number of repositories to return. */
                limit?: number;
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The repositories found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundRepositoriesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description The request does not match this contract, or the code host rejects the search. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["UserNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRepositories: {
        parameters: {
            query?: {
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of repositories. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoriesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMerges: {
        parameters: {
            query?: {
                /** @description Only entries with this status. */
                status?: components["schemas"]["MergeStatus"];
                /** @description With `true`, only entries that the caller's own settings for this favorite ask for. Without an account, or if the repository is no favorite of the caller, all entries. */
                wanted?: boolean;
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of merged pull requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["RepositoryForbidden"];
            404: components["responses"]["RepositoryNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPullRequests: {
        parameters: {
            query?: {
                /** @description Which pull requests to list. Merged ones are closed. */
                state?: "open" | "closed" | "all";
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @deprecated
                 * @description Number of items to skip. `offset` and `limit` together cover the newest 300 items. Use `cursor` instead; not together with it. Works until 2027-12-31.
                 */
                offset?: components["parameters"]["HostOffset"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pull requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestsResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["RepositoryForbidden"];
            404: components["responses"]["RepositoryNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPullRequest: {
        parameters: {
            query?: {
                /** @description Whether to fetch from the code host first. */
                refresh?: boolean;
            };
            header?: never;
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["PullNumberParam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["PullRequestForbidden"];
            404: components["responses"]["PullRequestNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    ingestPullRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["PullNumberParam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["PullRequestForbidden"];
            404: components["responses"]["PullRequestNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticle: {
        parameters: {
            query?: {
                /** @description Only the text in this language. By default, `contents` holds the texts in all languages. */
                language?: components["parameters"]["OnlyLanguage"];
                /** @description Whether each evidence includes the cited lines of the diff, in `lines` and `linesOmitted`. */
                evidenceLines?: components["parameters"]["EvidenceLines"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["PullNumberParam"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReadArticle"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["RepositoryForbidden"];
            /** @description There is no article about this pull request, or not in the given language, or the caller cannot access the repository. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    generateArticle: {
        parameters: {
            query?: never;
            header?: {
                /** @description How long to wait, as defined in RFC 7240. Unknown preferences are ignored. */
                Prefer?: string;
            };
            path: {
                /** @description The owner of the repository (case-insensitive). */
                owner: components["parameters"]["OwnerParam"];
                /** @description The name of the repository (case-insensitive). */
                repo: components["parameters"]["RepoParam"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["PullNumberParam"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GenerateArticleRequest"];
            };
        };
        responses: {
            200: components["responses"]["Article"];
            /** @description The article is still being written. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    /** @description The URL of the job. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleJobResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            /** @description The repository is private and the operator does not allow private code to be sent to a model, or the operator has hidden the pull request or its repository, or no code-host token is saved for this JWT session, or the code host forbids the token for this repository. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["PullRequestNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The article could not be generated, or the generated text failed verification and was not published. `details.reason` names the cause, if it is known. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description QUOTA_EXCEEDED: the user's article limit or the service's model budget for today is used up. RATE_LIMITED: the article was regenerated within the last hour, or a rate limit of the service or the code host was reached. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description The model or the code host does not respond. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listArticles: {
        parameters: {
            query?: {
                /** @description Only articles about this repository, as `owner/name` (case-insensitive). */
                repository?: string;
                /** @description Only articles with a text in this language, shown in it. */
                language?: components["schemas"]["Language"];
                /** @description What to search for. */
                q?: string;
                /** @description Only articles with a section of this type, or of one of these types (repeat the parameter). */
                changeType?: components["schemas"]["ChangeTypeEnum"][];
                /** @description Only articles whose impact states this, or one of these (repeat the parameter). `behaviour` means the same as `behavior`. */
                compatibility?: ("none" | "addition" | "behavior" | "behaviour" | "breaking")[];
                /** @description Only pull requests by this author (case-insensitive), or one of these (repeat the parameter). */
                author?: components["schemas"]["HostLogin"][];
                /** @description Only pull requests with this label (case-insensitive), or one of these (repeat the parameter). */
                label?: string[];
                /** @description Only pull requests that were merged at this time or later. A date means its beginning (UTC). */
                mergedSince?: string;
                /** @description Only pull requests that were merged before this time. A date means its end (UTC). */
                mergedUntil?: string;
                /** @description With `true`, only articles about the caller's favorites; without an account, none. */
                favorites?: boolean;
                /** @description `newest`: by the time of the first text, newest first. `merged`: the latest merge first, merged pull requests only. `likes`: most likes first. `relevance`: the best matches first, of the newest 1,000; `q` must contain a word or phrase. By default `relevance` in such a search, and `newest` otherwise. */
                sort?: "newest" | "merged" | "likes" | "relevance";
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of articles. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticlesResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticleById: {
        parameters: {
            query?: {
                /** @description Only the text in this language. By default, `contents` holds the texts in all languages. */
                language?: components["parameters"]["OnlyLanguage"];
                /** @description Whether each evidence includes the cited lines of the diff, in `lines` and `linesOmitted`. */
                evidenceLines?: components["parameters"]["EvidenceLines"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the article. */
                articleId: components["parameters"]["ArticleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReadArticle"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The article does not exist, or not in the given language, or the caller cannot access it. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    likeArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the article. */
                articleId: components["parameters"]["ArticleId"];
                /** @description The language of the article. */
                langCode: components["parameters"]["LangCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller had already liked the article. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikeResponse"];
                };
            };
            /** @description The like was added. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikeResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
            404: components["responses"]["LikedArticleNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unlikeArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the article. */
                articleId: components["parameters"]["ArticleId"];
                /** @description The language of the article. */
                langCode: components["parameters"]["LangCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article is not liked by the caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlikeResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
            404: components["responses"]["LikedArticleNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportMistake: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the article. */
                articleId: components["parameters"]["ArticleId"];
                /** @description The language of the article. */
                langCode: components["parameters"]["LangCode"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportMistakeRequest"];
            };
        };
        responses: {
            /** @description The caller sent the same report within the last 24 hours; the first one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MistakeReportResponse"];
                };
            };
            /** @description The report was stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MistakeReportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
            404: components["responses"]["LikedArticleNotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description QUOTA_EXCEEDED: the user has sent 20 reports today. RATE_LIMITED: a rate limit of the service was reached. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticleRanking: {
        parameters: {
            query?: {
                /** @description The period in which likes count. */
                period?: "daily" | "weekly" | "monthly" | "all";
                /** @description Only articles in this language, or `all`, the default. */
                language?: string;
                /** @description Maximum number of items to return. */
                limit?: components["parameters"]["Limit"];
                /** @description Where to continue, `nextCursor` of the page before. The other parameters must be the same. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @deprecated
                 * @description Number of items to skip. Use `cursor` instead; not together with it. Works until 2027-12-31.
                 */
                offset?: components["parameters"]["Offset"];
            };
            header?: {
                /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the ranking. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankingResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticleJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` of the last event received, to resume a stream. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The id of the job, from the 202 response of `generateArticle`. */
                jobId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job, or a stream of its progress. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleJobResponse"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description The job does not exist or the caller cannot access it, or the caller has no account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `sha256=` and the HMAC-SHA-256 of the body in hexadecimal digits, made with a secret of `WEBHOOK_SECRET`. A delivery without it returns 401. */
                "X-Hub-Signature-256"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The delivery was received. The response is the same for every event and repository. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The signature is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The operator has configured no webhooks. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            /** @description The body is larger than 25 MiB, or than 1 MiB for the events `pull_request`, `repository` and `public`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
