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
         * Tell whether the process is alive
         * @description Asks neither the database nor the code host, so it answers while those are down.
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
         * Tell whether the service can take requests
         * @description Checks the database, that every migration this version needs has been applied, and the queue of articles to be written. Answers 503 with the state of each check in `error.details.checks` when one is down, and with `process` alone once the server is going away.
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
         * Create the account of the token's owner
         * @description Creates an account for the identity that the bearer token proves, with the profile the code host has of it. The body may be left out altogether. `hostAccessToken` is checked with the code host and saved as by `saveHostToken`; with a JWT whose issuer does not vouch for a code-host identity it is required.
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
         * End the token for good
         * @description The bearer token of this request is refused from now on, on every node, forever: to come back, use a new token. Works without an account too.
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
         * @description Saves, encrypted, the token that serves this account's JWT sessions when they ask the code host. It must work, not have been logged out, and belong to the account's own code-host user. It replaces the one saved before. A session opened with a code-host token always uses that token itself; a browser that signed in with one uses that one, until it saves another by this operation.
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
         * @description One session for each token that was used. First the session of this request, marked `current`, then live ones, then ended ones, newest first within each. At most 100 are listed; expired ones are left out. Tokens are never shown.
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
         * End one session of the account
         * @description The session's token is refused from now on, as after `logOut`. Ending a session that has already ended answers 204 again.
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
         * @description The account of the token's owner.
         */
        get: operations["getCurrentUser"];
        put?: never;
        /**
         * Mark a repository as a favorite
         * @description Marking is a POST to the viewer's own address; listing and removing live under `favorite-repositories`. The code host is asked with the viewer's own token whether the repository exists for them. Marking it again, under whatever spelling or former name, answers 200 with the record that is there. An account holds at most 100 favorites; those the code host denies to all its sessions do not count.
         */
        post: operations["registerFavorite"];
        /**
         * Leave
         * @description Deletes the account with its sessions, saved token and favorites. Tokens that were logged out stay refused; any other may sign up anew.
         */
        delete: operations["deleteCurrentUser"];
        options?: never;
        head?: never;
        /**
         * Change the language articles are read in
         * @description Everything else in the profile comes from the code host and follows it.
         */
        patch: operations["updateCurrentUser"];
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
         * @description Newest first. What the code host said of a repository counts for 5 minutes; up to 20 it was not asked about for longer are asked about anew, for at most 2 seconds. A private repository that this session has not proven, and one the code host denies to it, are left out, and `totalItems` does not count them. A public repository stays listed while the code host is out of reach.
         */
        get: operations["listFavorites"];
        put?: never;
        post?: never;
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
         * @description Answers the record that was removed. A former name of the repository works as long as the code host knows it.
         */
        delete: operations["removeFavorite"];
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
         * List the articles the user has liked
         * @description A row for each like. Articles of a private repository that this session has not proven are left out, and `totalItems` does not count them; up to 20 repositories the code host was not asked about for 5 minutes are asked about anew, for at most 2 seconds.
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
    "/users/me/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the newest pull requests of the favorites
         * @description The pull requests of all favorites this session may see, in whatever state, newest first by the time they were opened. The code host is asked for each page of a favorite's list at most once a minute, and for at most 3 seconds; a favorite it did not answer about in time is named in `unavailable`, and what was known of it is shown. `offset` and `limit` reach up to the newest 300.
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
    "/repos/{owner}/{repo}/pulls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a repository's pull requests
         * @description The code host's own list, newest first by the time they were opened, at most a minute old, or older while the code host is down; `asOf` says from when. The code host gives no total: `totalItems` is null and `hasMore` tells whether there is a next page. `offset` and `limit` reach up to the newest 300.
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
         * Read a stored pull request
         * @description What was last fetched. It is readable while the code host is down, if the repository is public. With `refresh=true`, which needs a bearer token, the code host is asked first and the conversation is read anew, so that edited comments are seen too; a pull request that is not stored yet is fetched. That a public repository is still public is proven again when the last proof is older than 5 minutes (an hour, where the operator has configured no token for it).
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
         * Fetch a pull request and store it
         * @description Fetches everything the code host gives of a pull request: its description, every changed file, commits, comments, review comments and reviews. What has not changed since is not fetched again, and then nothing is written. A reader sees the former state or the new one, never a mixture; when the code host fails midway, the former one stays. Many callers at once share one fetch. The code host is given up after 15 seconds.
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
         * Read the article about a pull request
         * @description The article in every language it was written in, each with its current text. It is readable while the code host and the model are down, if the repository is public.
         */
        get: operations["getArticle"];
        put?: never;
        /**
         * Write the article about a pull request
         * @description Writes an article in one language, by default the user's. There is one text for each head commit, language and kind of generator: asking again for what is there costs nothing and answers it at once. `force` writes it anew, at most once an hour, and joins the writing where that is under way. Many callers at once share one writing; only the one that starts it spends some of their daily quota.
         *
         *     The code host is asked for the head commit, at most once a minute for a pull request; while it is down the stored one is taken. A pull request that was never fetched is fetched first.
         *
         *     The request waits for the article up to 30 seconds, or as the header `Prefer: wait=N` says (at most 60; `respond-async` does not wait), and then answers 202 with the job's address in `Location`. The wait ends with 401 as soon as the session of the request has ended.
         *
         *     With a model configured, the model writes and every claim is checked against the diff. Without one, an outline is made of what is there (`generator.kind` is `outline`), in Japanese or English; other languages get the English one, under `en`. What a private repository holds is sent to a model only where the operator allows it.
         */
        post: operations["generateArticle"];
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
         * Read an article by its id
         * @description An article's id never changes, however often its texts are written anew.
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
         * Like an article in a language
         * @description Each language's text is liked by itself. To like it twice is the same as once. `likeCount` is the number of likes there were when this was done, the caller's own among them; of callers at the very same moment, two may be told the same number. Likes stay when a text is written anew.
         */
        post: operations["likeArticle"];
        /**
         * Take a like back
         * @description Answers the same whether it was liked or not. `likeCount` is the number of likes that are left.
         */
        delete: operations["unlikeArticle"];
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
         * Read the ranking of articles by likes
         * @description The articles with the most likes received in the period that still stand: the last 24 hours, 7 or 30 days, to the minute, or all there are. A row is an article in a language; rows without likes are left out. Of equally many likes, the newer article comes first, then the smaller id, then the language.
         *     A like counts here within moments, within a minute at the latest; one that grows too old for a period leaves it within a minute. Only public articles are ranked. One that is found not to be public any more is left out from then on, and `totalItems` follows within a minute.
         *     An answer to a caller without a token is the same for everyone: it carries an `ETag` and may be kept for 10 seconds.
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
         * Follow the writing of an article
         * @description How far the writing is. With `Accept: text/event-stream` the answer is a stream of server-sent events: one named `progress` whenever something has changed, with the job as JSON in `data`, and a last one named `succeeded` or `failed`, after which the stream ends. A server that is going away ends it before: whoever comes back, with `Last-Event-ID` as browsers do, is told what has changed since, by whichever server there is. Anyone who may see the repository may follow its jobs.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: uuid
         * @description A UUID, version 7.
         */
        Id: string;
        /**
         * Format: date-time
         * @description ISO 8601 in UTC with milliseconds.
         */
        Timestamp: string;
        /** @description A two-letter language code (ISO 639-1). */
        Language: string;
        /**
         * Format: int64
         * @description A numeric id on the code host. It never changes, whatever is renamed.
         */
        HostId: number;
        Owner: string;
        Repo: string;
        /** @description An access token of the code host. It is stored encrypted and never shown again. */
        HostAccessToken: string;
        /** @description A sentence for people. Programs look at the status and the code. */
        Message: string;
        /**
         * @description What went wrong. Each code has one status.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "UNAUTHENTICATED" | "HOST_TOKEN_INVALID" | "FORBIDDEN" | "HOST_TOKEN_REQUIRED" | "NOT_FOUND" | "USER_NOT_FOUND" | "HOST_REPO_NOT_FOUND" | "PULL_REQUEST_NOT_FOUND" | "ARTICLE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "USER_ALREADY_EXISTS" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "QUOTA_EXCEEDED" | "INTERNAL_SERVER_ERROR" | "HOST_UNAVAILABLE" | "MODEL_UNAVAILABLE" | "GENERATION_FAILED" | "SERVICE_UNAVAILABLE";
        /** @description One thing in the request that does not fit. */
        ValidationIssue: {
            /** @enum {string} */
            in: "body" | "params" | "querystring" | "headers";
            /** @description A JSON pointer to the value, empty for the whole part. */
            path: string;
            message: components["schemas"]["Message"];
        };
        /** @description What a program may want to know beyond the code. */
        ErrorDetails: {
            /** @description With VALIDATION_ERROR, what does not fit. */
            issues?: components["schemas"]["ValidationIssue"][];
            /**
             * @description With RATE_LIMITED, `host` when it is the code host's own limit.
             * @enum {string}
             */
            by?: "host";
            /** @description The limit that was reached. */
            limit?: number;
            reason?: components["schemas"]["FailureReason"];
            checks?: components["schemas"]["HealthChecks"];
        } & {
            [key: string]: unknown;
        };
        /** @description With GENERATION_FAILED, why, where more is known than the code says. `node_lost`: three nodes stopped responding while they wrote the article; asking again starts a new job. `deadline`, `memory`: reading the pull request took more time or memory than any may take. More values may be added. */
        FailureReason: string;
        ErrorObject: {
            code: components["schemas"]["ErrorCode"];
            details?: components["schemas"]["ErrorDetails"];
            requestId: components["schemas"]["Id"];
        };
        /** @description Every failure has this form. */
        Failure: {
            /** @enum {boolean} */
            success: false;
            error: components["schemas"]["ErrorObject"];
            message: components["schemas"]["Message"];
        };
        HealthCheck: {
            /** @enum {string} */
            state: "up" | "down";
        };
        /** @description Each check by its name. */
        HealthChecks: {
            [key: string]: components["schemas"]["HealthCheck"];
        };
        HealthCheckResponseData: {
            ok: boolean;
            /** @description The version of the service. */
            version: string;
            checks: components["schemas"]["HealthChecks"];
        };
        HealthResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["HealthCheckResponseData"];
            message: components["schemas"]["Message"];
        };
        SignUpRequest: {
            /** @default ja */
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
            id: components["schemas"]["Id"];
            hostUserId: components["schemas"]["HostId"];
            /** @description The login name on the code host. */
            hostUsername: string;
            /** @description The name shown on the code host, if any. */
            hostDisplayName: string | null;
            /** @description The e-mail address, if the profile shows it. */
            email: string | null;
            /** @description The address of the avatar image, if any. */
            avatarUrl: string | null;
            language: components["schemas"]["Language"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        UserResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["User"];
            message: components["schemas"]["Message"];
        };
        LogoutResponseData: {
            revokedAt: components["schemas"]["Timestamp"];
        };
        LogoutResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["LogoutResponseData"];
            message: components["schemas"]["Message"];
        };
        SavedHostToken: {
            /** @description Whose token it is on the code host. */
            hostUsername: string;
            /** @description What the code host says the token may do. Empty where the code host does not say. */
            scopes: string[];
            savedAt: components["schemas"]["Timestamp"];
        };
        SavedHostTokenResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["SavedHostToken"];
            message: components["schemas"]["Message"];
        };
        AuthSession: {
            id: components["schemas"]["Id"];
            userId: components["schemas"]["Id"];
            /** @description Whether this is the session of the request. */
            current: boolean;
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the token expires; null for a code-host token, which is checked with the code host anew.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the session was ended, if it was.
             */
            revokedAt: string | null;
        };
        SessionsResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["AuthSession"][];
            message: components["schemas"]["Message"];
        };
        FavoriteRepository: {
            id: components["schemas"]["Id"];
            userId: components["schemas"]["Id"];
            hostRepoId: components["schemas"]["HostId"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            registeredAt: components["schemas"]["Timestamp"];
        };
        FavoriteResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["FavoriteRepository"];
            message: components["schemas"]["Message"];
        };
        Pagination: {
            /** @description How many items there are over all pages. */
            totalItems: number;
            limit: number;
            offset: number;
        };
        FavoritesPage: {
            data: components["schemas"]["FavoriteRepository"][];
            pagination: components["schemas"]["Pagination"];
        };
        FavoritesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["FavoritesPage"];
            message: components["schemas"]["Message"];
        };
        /** Format: int32 */
        PullRequestNumber: number;
        /** Format: int64 */
        Count: number;
        /** @description A user name on the code host; `ghost` where the account no longer exists. */
        Login: string;
        Title: string;
        CommitId: string;
        /** Format: uri */
        HostUrl: string;
        /** @description Owner and name, with a slash between. */
        RepositoryFullName: string;
        /** @enum {string} */
        PullRequestState: "open" | "closed";
        /** @description Everything the code host gives of a pull request, in one state. What it would not give, and what exceeds the bounds named below, is counted in `leftOut` and marked where it is missing; nothing is cut silently. */
        PullRequest: {
            prNumber: components["schemas"]["PullRequestNumber"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            hostPrUrl: components["schemas"]["HostUrl"];
            title: components["schemas"]["Title"];
            /** @description The description its author gave; null where there is none. */
            body: string | null;
            /** @description Whether the description is longer than 65,536 characters and was cut there. */
            bodyTruncated: boolean;
            /** @description A unified diff with one section for each of `files`, in that order; each section begins with a line `diff --git`. It is the code host's own where that gives it whole (up to 300 files and 20,000 lines), else put together from the patches of the files, without `index` lines. A patch of more than 1,000,000 characters, and one that would take the whole beyond 10,000,000, is left out; its section then has a header only. */
            diff: string;
            /** @description Whether the lines of some changed file are missing from `diff`. */
            diffTruncated: boolean;
            authorLogin: components["schemas"]["Login"];
            state: components["schemas"]["PullRequestState"];
            merged: boolean;
            draft: boolean;
            headSha: components["schemas"]["CommitId"];
            baseSha: components["schemas"]["CommitId"];
            additions: components["schemas"]["Count"];
            deletions: components["schemas"]["Count"];
            changedFiles: components["schemas"]["Count"];
            commitCount: components["schemas"]["Count"];
            commentCount: components["schemas"]["Count"];
            reviewCommentCount: components["schemas"]["Count"];
            hostPrCreatedAt: components["schemas"]["Timestamp"];
            hostPrUpdatedAt: components["schemas"]["Timestamp"];
            fetchedAt: components["schemas"]["Timestamp"];
            leftOut: components["schemas"]["LeftOut"];
            /** @description The commits, oldest first; code hosts list up to 250. */
            commits: components["schemas"]["PullRequestCommit"][];
            /** @description Comments, review comments and reviews in order of time: the first 5,000, of up to 5,000,000 characters together. */
            comments: components["schemas"]["PullRequestComment"][];
            /** @description The changed files; code hosts list up to 3,000. Those whose paths go beyond 500,000 characters together are left out. */
            files: components["schemas"]["PullRequestFile"][];
        };
        /** @description How many of each the code host has, or says it has, that are not here. */
        LeftOut: {
            files: components["schemas"]["Count"];
            /** @description Files whose changed lines are not in `diff`. */
            patches: number;
            comments: components["schemas"]["Count"];
            commits: components["schemas"]["Count"];
        };
        PullRequestCommit: {
            sha: components["schemas"]["CommitId"];
            message: string;
            /** @description Whether the message is longer than 65,536 characters and was cut there. */
            truncated: boolean;
            author: components["schemas"]["Login"];
            /** Format: date-time */
            authoredAt: string | null;
        };
        PullRequestComment: {
            /**
             * @description Said of the whole, said of a line, or the verdict of a review.
             * @enum {string}
             */
            kind: "comment" | "reviewComment" | "review";
            author: components["schemas"]["Login"];
            body: string;
            /** @description Whether the body is longer than 65,536 characters and was cut there. */
            truncated: boolean;
            createdAt: components["schemas"]["Timestamp"];
            /** @description The file a review comment is about. */
            path: string | null;
            /** @description The line a review comment is about, where it still exists. */
            line: number | null;
            /** @description A review's verdict, such as `APPROVED` or `CHANGES_REQUESTED`. */
            reviewState: string | null;
        };
        PullRequestFile: {
            path: string;
            /** @description Where the file was before it was renamed or copied. */
            previousPath: string | null;
            /** @enum {string} */
            status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed" | "unchanged";
            additions: components["schemas"]["Count"];
            deletions: components["schemas"]["Count"];
            /**
             * @description `text`: its lines are in `diff`. `partial`: fewer lines than the code host counts are. `none`: no line changed, as in a plain rename. `binary`: there are no lines. `tooLarge`: the code host gives no patch for it. `leftOut`: its patch exceeds our bounds.
             * @enum {string}
             */
            patch: "text" | "partial" | "none" | "binary" | "tooLarge" | "leftOut";
        };
        PullRequestResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["PullRequest"];
            message: components["schemas"]["Message"];
        };
        PullRequestSummary: {
            prNumber: components["schemas"]["PullRequestNumber"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            hostPrUrl: components["schemas"]["HostUrl"];
            title: components["schemas"]["Title"];
            authorLogin: components["schemas"]["Login"];
            state: components["schemas"]["PullRequestState"];
            merged: boolean;
            draft: boolean;
            hostPrCreatedAt: components["schemas"]["Timestamp"];
            hostPrUpdatedAt: components["schemas"]["Timestamp"];
            /** @description Whether there is an article about it, in any language. */
            articleExists: boolean;
        };
        /** @description A page of a list the code host keeps. It gives no total. */
        HostPagination: {
            totalItems: null;
            limit: number;
            offset: number;
            /** @description Whether there is more that can be asked for, up to the newest 300. */
            hasMore: boolean;
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
            message: components["schemas"]["Message"];
        };
        /** @description A favorite the code host was not heard about in time. */
        UnavailableFavorite: {
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            code: components["schemas"]["ErrorCode"];
            /**
             * Format: date-time
             * @description From when the pull requests are that are shown of it; null where none are.
             */
            shownAsOf: string | null;
        };
        FeedPage: {
            data: components["schemas"]["PullRequestSummary"][];
            pagination: components["schemas"]["HostPagination"];
            unavailable: components["schemas"]["UnavailableFavorite"][];
        };
        FeedResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["FeedPage"];
            message: components["schemas"]["Message"];
        };
        GenerateArticleRequest: {
            language?: components["schemas"]["Language"];
            /**
             * @description Whether to write the text anew although there is one.
             * @default false
             */
            force?: boolean;
        };
        /** @description A headline that tells what the change is about. */
        ArticleTitle: string;
        /** @enum {string} */
        ChangeTypeEnum: "FEAT" | "FIX" | "REFACTOR" | "DOCS" | "TEST" | "PERF" | "BUILD" | "CHORE";
        /** @enum {string} */
        CategoryEnum: "TECH" | "RISK" | "UX" | "PERF" | "SECURITY";
        /** @description Lines of the diff that prove a claim. A file without lines in the diff (renamed, binary, another mode) is cited whole: both lines are null. */
        Evidence: {
            /** @description A changed file. */
            path: string;
            /**
             * @description Whether the lines are those before the change or after it.
             * @enum {string}
             */
            side: "old" | "new";
            /** @description The first line, by its number on that side. */
            startLine: number | null;
            /** @description The last line, by its number on that side. */
            endLine: number | null;
            /**
             * Format: uri
             * @description Those lines on the code host, at the head commit the article is about.
             */
            url: string;
        };
        MainChange: {
            /** @description The path of the changed file this is about. */
            fileName: string;
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description What was changed there and how it works now. Restricted Markdown. */
            description: string;
            /** @description The lines that prove it, at least one of them in `fileName`. */
            evidence: components["schemas"]["Evidence"][];
        };
        NotablePoint: {
            categories: components["schemas"]["CategoryEnum"][];
            /** @description What a reader should know about it. Restricted Markdown. */
            point: string;
            /** @description The lines that prove it. */
            evidence: components["schemas"]["Evidence"][];
        };
        CoveredFile: {
            path: string;
            /** @enum {string} */
            kind: "source" | "test" | "docs" | "configuration" | "generated" | "lockFile" | "vendored" | "minified" | "snapshot" | "binary";
            /** @enum {string} */
            state: "read" | "partlyRead" | "skipped";
            /**
             * @description Why it was not read, or not whole; null where it was. The kinds that are skipped for what they are have their own name here. `noPatch`: the code host gave no lines, or fewer than it counts. `tooLarge`: beyond the bounds of a stored pull request. `longLines`: lines were cut. `budget`: more than the writer may read for one article.
             * @enum {string|null}
             */
            reason: "lockFile" | "generated" | "vendored" | "minified" | "snapshot" | "binary" | "noPatch" | "tooLarge" | "longLines" | "budget" | null;
        };
        Share: {
            read: components["schemas"]["Count"];
            total: components["schemas"]["Count"];
        };
        /** @description What the writer read. `read`, `partlyRead`, `skipped` and `notListed` add up to `changedFiles`. */
        Coverage: {
            changedFiles: components["schemas"]["Count"];
            read: components["schemas"]["Count"];
            partlyRead: components["schemas"]["Count"];
            skipped: components["schemas"]["Count"];
            /** @description Changed files that `files` does not name: the code host counts but does not list them, or the list has reached its bound of some 460 KB of paths. */
            notListed: number;
            files: components["schemas"]["CoveredFile"][];
            /**
             * @description Whether the description of the pull request was read.
             * @enum {string}
             */
            description: "read" | "partlyRead" | "none";
            commits: components["schemas"]["Share"];
            comments: components["schemas"]["Share"];
            /** @description How many things that look like secrets were masked before anything was read. */
            secretsMasked: number;
            /** @description How many claims of the model did not hold and were left out. */
            claimsDropped: number;
        };
        /** @description Who wrote a text, and what it took. */
        Generator: {
            /**
             * @description A model, or an outline made without one.
             * @enum {string}
             */
            kind: "model" | "outline";
            model: string | null;
            promptVersion: string;
            /** @description The language whose proven text this was translated from; null where the diff itself was read. */
            translatedFrom: string | null;
            inputTokens: components["schemas"]["Count"];
            outputTokens: components["schemas"]["Count"];
            calls: components["schemas"]["Count"];
            milliseconds: components["schemas"]["Count"];
        };
        /** @description The article in one language. Texts are plain or restricted Markdown: emphasis, code spans, lists and links to the pull request's own host; no HTML. */
        ArticleContent: {
            aiGeneratedTitle: components["schemas"]["ArticleTitle"];
            /** @description Why the change was made, as far as the pull request tells; null where it does not. */
            backgroundAndPurpose: string | null;
            /** @description What was changed, the most important first. */
            mainChanges: components["schemas"]["MainChange"][];
            /** @description What is worth knowing beyond that. */
            notablePoints: components["schemas"]["NotablePoint"][];
            likeCount: components["schemas"]["Count"];
            summaryGeneratedAt: components["schemas"]["Timestamp"];
            headSha: components["schemas"]["CommitId"];
            /** @description Whether the pull request has another head commit by now. */
            stale: boolean;
            coverage: components["schemas"]["Coverage"];
            generator: components["schemas"]["Generator"];
        };
        /** @description One article for each pull request, in as many languages as it was written in. */
        PullRequestArticle: {
            id: components["schemas"]["Id"];
            prNumber: components["schemas"]["PullRequestNumber"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            hostPrUrl: components["schemas"]["HostUrl"];
            title: components["schemas"]["Title"];
            authorLogin: components["schemas"]["Login"];
            hostPrCreatedAt: components["schemas"]["Timestamp"];
            /** @description The current text in each language, by its code. */
            contents: {
                [key: string]: components["schemas"]["ArticleContent"];
            };
            totalLikeCount: components["schemas"]["Count"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        ArticleResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["PullRequestArticle"];
            message: components["schemas"]["Message"];
        };
        /** @description Why the writing failed; null unless it did. */
        ArticleJobError: {
            code: components["schemas"]["ErrorCode"];
            message: components["schemas"]["Message"];
            reason?: components["schemas"]["FailureReason"];
        } | null;
        /** @description The writing of one text. */
        ArticleJob: {
            id: components["schemas"]["Id"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            prNumber: components["schemas"]["PullRequestNumber"];
            language: components["schemas"]["Language"];
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed";
            /** @enum {string} */
            stage: "queued" | "reading" | "writing" | "checking" | "translating" | "storing" | "done";
            progress: number;
            error: components["schemas"]["ArticleJobError"];
            /**
             * Format: uuid
             * @description The article, once it is written.
             */
            articleId: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        ArticleJobResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["ArticleJob"];
            message: components["schemas"]["Message"];
        };
        ArticleLike: {
            id: components["schemas"]["Id"];
            userId: components["schemas"]["Id"];
            articleId: components["schemas"]["Id"];
            languageCode: components["schemas"]["Language"];
            likedAt: components["schemas"]["Timestamp"];
        };
        LikeResult: {
            like: components["schemas"]["ArticleLike"];
            likeCount: components["schemas"]["Count"];
            /** @description Whether the caller had liked it before. */
            alreadyLiked: boolean;
        };
        LikeResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["LikeResult"];
            message: components["schemas"]["Message"];
        };
        UnlikeResult: {
            likeCount: components["schemas"]["Count"];
        };
        UnlikeResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["UnlikeResult"];
            message: components["schemas"]["Message"];
        };
        /** @description An article somebody has liked, in a language. */
        LikedArticleInfo: {
            articleId: components["schemas"]["Id"];
            languageCode: components["schemas"]["Language"];
            likedAt: components["schemas"]["Timestamp"];
            aiGeneratedTitle: components["schemas"]["ArticleTitle"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            prNumber: components["schemas"]["PullRequestNumber"];
            likeCount: components["schemas"]["Count"];
        };
        LikedArticlesPage: {
            data: components["schemas"]["LikedArticleInfo"][];
            pagination: components["schemas"]["Pagination"];
        };
        LikedArticlesResponse: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["LikedArticlesPage"];
            message: components["schemas"]["Message"];
        };
        /** @description An article in a language and its place in the ranking. */
        RankedArticleInfo: {
            /**
             * Format: int32
             * @description Its place, counted from 1.
             */
            rank: number;
            articleId: components["schemas"]["Id"];
            languageCode: components["schemas"]["Language"];
            aiGeneratedTitle: components["schemas"]["ArticleTitle"];
            repositoryFullName: components["schemas"]["RepositoryFullName"];
            owner: components["schemas"]["Owner"];
            repo: components["schemas"]["Repo"];
            prNumber: components["schemas"]["PullRequestNumber"];
            /** @description The likes it received in the period that still stand. */
            likeCount: components["schemas"]["Count"];
            /** @description Whether the caller likes it; null for a caller without an account. */
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
            message: components["schemas"]["Message"];
        };
    };
    responses: {
        /** @description The account. */
        User: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserResponse"];
            };
        };
        /** @description The pull request. */
        PullRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PullRequestResponse"];
            };
        };
        /** @description The article. */
        Article: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ArticleResponse"];
            };
        };
        /** @description No code-host token was saved for this JWT session. */
        HostTokenRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is no such repository for this token, or its owner has no account. */
        RepositoryNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description A browser's cookie came along with what another origin's page asked for. */
        OtherOrigin: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is no such article in this language for this caller, or the token's owner has no account. */
        LikedArticleNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is no such repository for this caller, or no such pull request in it; for a read without `refresh`, none that was fetched. Or the token's owner has no account where one is needed. */
        PullRequestNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request does not fit the contract, or cannot be read at all. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is no bearer token, or it does not verify, has expired or was logged out. */
        Unauthenticated: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description As for any operation, or the code host refuses the token that was given for it or saved. */
        HostTokenRefused: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The code-host token belongs to somebody else, or there is none and one is needed. */
        HostTokenForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The token is good, but its owner has no account. */
        UserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description More requests of one kind (reading, writing, asking the code host, having articles written) than a user or an address may make in a minute; or too many unknown tokens were refused within a minute (60 from this address, or 600 from all addresses, beyond which an address without a refusal still gets one check, up to 1,200); or the code host's own rate limit is spent. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description A fault of ours. What went wrong is in the log under the request id. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The code host does not answer and the request cannot do without it. */
        HostUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The database does not answer, or the server is shutting down. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description How many items to answer at most. */
        Limit: number;
        /** @description How many items to pass over first. */
        Offset: number;
        /** @description How many items to pass over first. With `limit` it reaches up to the newest 300. */
        HostOffset: number;
        /** @description The article. */
        ArticleId: components["schemas"]["Id"];
        /** @description The language of the text. */
        LangCode: components["schemas"]["Language"];
        /** @description The number of the pull request within its repository. */
        Number: components["schemas"]["PullRequestNumber"];
        /** @description The owner of the repository. Case does not matter. */
        Owner: components["schemas"]["Owner"];
        /** @description The name of the repository. Case does not matter. */
        Repo: components["schemas"]["Repo"];
    };
    requestBodies: never;
    headers: {
        /** @description What this answer is known by, for `If-None-Match`. Only where it is the same for everyone. */
        ETag: string;
        /** @description How many requests of this kind may be made in a minute. */
        RateLimitLimit: number;
        /** @description How many of them are left. */
        RateLimitRemaining: number;
        /** @description In how many seconds they are all there again. */
        RateLimitReset: number;
        /** @description Seconds to wait before asking again. */
        RetryAfter: number;
        /** @description The scheme to authenticate with, and why the token was refused. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalServerError"];
            /** @description Not ready. */
            503: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenForbidden"];
            /** @description The account exists already. */
            409: {
                headers: {
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
            /** @description The token is refused from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedHostTokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            /** @description The token belongs to another user of the code host. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["UserNotFound"];
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
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
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
                /** @description The session, as listed by `listSessions`. */
                sessionId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
            /** @description The account has no such session, or the token's owner has no account. */
            404: {
                headers: {
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
            /** @description A favorite already; the existing record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            /** @description The favorite was registered. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            /** @description The account has 100 favorites, or no code-host token was saved for this JWT session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The repository does not exist for the viewer, or the token's owner has no account. */
            404: {
                headers: {
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
            /** @description The account is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["OtherOrigin"];
            404: components["responses"]["UserNotFound"];
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
                /** @description How many items to answer at most. */
                limit?: components["parameters"]["Limit"];
                /** @description How many items to pass over first. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of favorites. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoritesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
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
                /** @description The owner of the repository. Case does not matter. */
                owner: components["parameters"]["Owner"];
                /** @description The name of the repository. Case does not matter. */
                repo: components["parameters"]["Repo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The favorite was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            /** @description It was no favorite, or the token's owner has no account. */
            404: {
                headers: {
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
    listLikedArticles: {
        parameters: {
            query?: {
                /** @description Only likes of texts in this language. */
                lang?: components["schemas"]["Language"];
                /** @description Newest or oldest likes first. */
                sort?: "likedAt_desc" | "likedAt_asc";
                /** @description How many items to answer at most. */
                limit?: components["parameters"]["Limit"];
                /** @description How many items to pass over first. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of liked articles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikedArticlesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFeed: {
        parameters: {
            query?: {
                /** @description How many items to answer at most. */
                limit?: components["parameters"]["Limit"];
                /** @description How many items to pass over first. With `limit` it reaches up to the newest 300. */
                offset?: components["parameters"]["HostOffset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["UserNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPullRequests: {
        parameters: {
            query?: {
                /** @description Which pull requests to list. A merged one is closed. */
                state?: "open" | "closed" | "all";
                /** @description How many items to answer at most. */
                limit?: components["parameters"]["Limit"];
                /** @description How many items to pass over first. With `limit` it reaches up to the newest 300. */
                offset?: components["parameters"]["HostOffset"];
            };
            header?: never;
            path: {
                /** @description The owner of the repository. Case does not matter. */
                owner: components["parameters"]["Owner"];
                /** @description The name of the repository. Case does not matter. */
                repo: components["parameters"]["Repo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pull requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["RepositoryNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPullRequest: {
        parameters: {
            query?: {
                /** @description Whether to ask the code host first. */
                refresh?: boolean;
            };
            header?: never;
            path: {
                /** @description The owner of the repository. Case does not matter. */
                owner: components["parameters"]["Owner"];
                /** @description The name of the repository. Case does not matter. */
                repo: components["parameters"]["Repo"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["Number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["PullRequestNotFound"];
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
                /** @description The owner of the repository. Case does not matter. */
                owner: components["parameters"]["Owner"];
                /** @description The name of the repository. Case does not matter. */
                repo: components["parameters"]["Repo"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["Number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PullRequest"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            404: components["responses"]["PullRequestNotFound"];
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
            query?: never;
            header?: never;
            path: {
                /** @description The owner of the repository. Case does not matter. */
                owner: components["parameters"]["Owner"];
                /** @description The name of the repository. Case does not matter. */
                repo: components["parameters"]["Repo"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["Number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Article"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            403: components["responses"]["HostTokenRequired"];
            /** @description There is no such repository for this caller, or no article about this pull request. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
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
                /** @description How long to wait, as in RFC 7240. What is not understood is passed over. */
                Prefer?: string;
            };
            path: {
                /** @description The owner of the repository. Case does not matter. */
                owner: components["parameters"]["Owner"];
                /** @description The name of the repository. Case does not matter. */
                repo: components["parameters"]["Repo"];
                /** @description The number of the pull request within its repository. */
                number: components["parameters"]["Number"];
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
                    /** @description Where the job can be followed. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleJobResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["HostTokenRefused"];
            /** @description The repository is private and the operator does not let private code be sent to a model, or no code-host token was saved for this JWT session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            404: components["responses"]["PullRequestNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The user's articles or the service's model tokens for today are spent (QUOTA_EXCEEDED), the text was forced within the last hour, or too much was asked of us or of the code host (RATE_LIMITED). */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description The article could not be written (GENERATION_FAILED, with `details.reason` where there is one), or the model or the code host does not answer. */
            502: {
                headers: {
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
    getArticleById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The article. */
                articleId: components["parameters"]["ArticleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Article"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description There is no such article for this caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
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
                /** @description The article. */
                articleId: components["parameters"]["ArticleId"];
                /** @description The language of the text. */
                langCode: components["parameters"]["LangCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was liked already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikeResponse"];
                };
            };
            /** @description It is liked now. */
            201: {
                headers: {
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
                /** @description The article. */
                articleId: components["parameters"]["ArticleId"];
                /** @description The language of the text. */
                langCode: components["parameters"]["LangCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is not liked now. */
            200: {
                headers: {
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
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticleRanking: {
        parameters: {
            query?: {
                /** @description Over what time likes count. */
                period?: "daily" | "weekly" | "monthly" | "all";
                /** @description Articles in one language, or in all of them. */
                language?: string;
                /** @description How many items to answer at most. */
                limit?: components["parameters"]["Limit"];
                /** @description How many items to pass over first. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the ranking. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankingResponse"];
                };
            };
            /** @description The ranking is still the one the caller has (`If-None-Match`). */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
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
                /** @description The `id` of the last event that was seen, to go on with a stream that broke off. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The job, as answered with 202. */
                jobId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job, or its progress as it happens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleJobResponse"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            /** @description There is no such job for this caller, or the token's owner has no account. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["HostUnavailable"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
