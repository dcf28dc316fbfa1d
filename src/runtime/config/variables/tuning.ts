import { port, str } from 'envalid'
import {
  atLeast,
  claimPointer,
  httpUrl,
  keyword,
  languages,
  origins,
  postgresUrl,
  prices,
  redisUrl,
  secrets,
} from '../parsers.ts'

/** Variables whose defaults suit most deployments. */
export const tuning = {
  PORT: port({ default: 3000, desc: 'Port to listen on.' }),
  ROLE: str({
    default: 'all',
    choices: ['all', 'api', 'worker'],
    desc: 'The work of this node: `api` serves requests, `worker` writes articles (and serves only `/healthz` and `/readyz`), `all` does both.',
  }),
  DATA_DIR: str({ default: '.data', desc: 'Folder of the embedded database and its encryption key.' }),
  MIGRATIONS_DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'Only if `DATABASE_URL` leads to a pooler: URL of the same database, with the same role but without the pooler, for migrations. The service then stores its statement timeouts as defaults of the role, because it cannot set them on connections that a pooler shares between clients. Leave it unset if `DATABASE_URL` leads to Postgres itself.',
    example: 'postgres://pullpress:password@db:5432/pullpress',
  }),
  PREPARED_STATEMENTS: str({
    default: 'on',
    choices: ['on', 'off'],
    desc: 'Whether to use prepared statements. Set `off` behind PgBouncer before 1.21, or without its `max_prepared_statements`.',
  }),
  CODE_HOST_API_URL: httpUrl({ default: new URL('https://api.github.com'), desc: "URL of the code host's REST API." }),
  CODE_HOST_WEB_URL: httpUrl({ default: new URL('https://github.com'), desc: "URL of the code host's web pages." }),
  WEBHOOK_SECRET: secrets({
    default: undefined,
    desc: 'Secret of webhooks that the code host sends to `/webhooks/host`, so that merged pull requests are found at once. To rotate, list several, separated by commas. Unset: no webhooks.',
    example: 'new-secret,old-secret',
  }),
  OPENAI_FALLBACK_MODEL: str({
    default: undefined,
    desc: 'A second model, used if the first does not answer or its answer cannot be used.',
    example: 'gpt-6-luna',
  }),
  OPENAI_REASONING_EFFORT: keyword({
    default: undefined,
    desc: 'How much a reasoning model thinks before it answers, such as `low`, `medium` or `high`. Unset: the default of the model.',
    example: 'low',
  }),
  OPENAI_SERVICE_TIER: keyword({
    default: undefined,
    desc: "Processing tier for automatic articles, such as OpenAI's `flex`, which costs half and takes up to 15 minutes a call. If the tier is busy, the normal one is used. Unset: the normal tier.",
    example: 'flex',
  }),
  MODEL_TOKENS_PER_CALL: atLeast(8000)({
    default: 64_000,
    desc: "Maximum tokens of one prompt, counted with OpenAI's tokenizer. The model's context window must have room for this and `MODEL_OUTPUT_TOKENS`.",
  }),
  MODEL_OUTPUT_TOKENS: atLeast(
    4000,
    128_000,
  )({
    default: 32_000,
    desc: 'Maximum output tokens of one model call, including reasoning. The service lowers it for a server that accepts less.',
  }),
  MODEL_SECONDS_PER_CALL: atLeast(
    1,
    3600,
  )({
    default: 180,
    desc: 'Timeout of one model call, in seconds.',
  }),
  MODEL_CALLS_PER_ARTICLE: atLeast(4)({
    default: 12,
    desc: 'Maximum model calls for one article. A pull request that does not fit one call is split into at most (this number − 4) parts.',
  }),
  MODEL_TOKENS_PER_ARTICLE: atLeast(16_000)({
    default: 800_000,
    desc: 'Maximum input and output tokens of all calls for one article. At least twice `MODEL_TOKENS_PER_CALL`.',
  }),
  MODEL_PRICES_PER_MILLION_TOKENS: prices({
    default: undefined,
    desc: 'Prices of a million input tokens and a million output tokens of the model, in any currency, such as `0.25,2`. If cached input and cache writes have prices of their own, add them: `0.25,2,0.025,0.3`. The prices of the fallback model follow after a semicolon: `0.25,2;1,8`. Unset: the prices of the default model at OpenAI; what others cost is unknown.',
    example: '0.25,2,0.025,0.25',
  }),
  ARTICLE_QUOTA_PER_DAY: atLeast(0)({
    default: 20,
    desc: 'Maximum number of articles written for one user in a day (UTC).',
  }),
  LANGUAGES: languages({
    default: undefined,
    desc: 'Language codes (ISO 639-1) of the languages that articles may be written in, separated by commas. Instead of any other language, the first one is used. Unset: all languages.',
    example: 'ja,en',
  }),
  ARTICLES_AT_ONCE: atLeast(
    1,
    100,
  )({ default: 4, desc: 'Maximum number of articles that one node writes at the same time.' }),
  AUTOMATIC_ARTICLES_PER_DAY: atLeast(0)({
    default: 20,
    desc: 'Maximum number of automatic articles in a day (UTC). An article in two languages counts twice. No more are begun once half of `MODEL_TOKENS_PER_DAY` is used.',
  }),
  AUTOMATIC_ARTICLES_PER_REPOSITORY: atLeast(0)({
    default: 5,
    desc: 'Maximum number of automatic articles about one repository in a day (UTC), counted in the same way.',
  }),
  WATCH_INTERVAL_SECONDS: atLeast(
    1,
    21_600,
  )({
    default: 300,
    desc: 'How often the service looks for merged pull requests of an active repository. For quiet ones the interval grows up to 6 hours.',
  }),
  WATCH_CALLS_PER_HOUR: atLeast(100)({
    default: 2000,
    desc: "Maximum number of the service's own calls to the code host in an hour, to find merged pull requests and to decide which ones get articles.",
  }),
  OIDC_ISSUER: httpUrl({
    default: undefined,
    desc: 'OpenID Connect issuer. If set, its JWTs are accepted as bearer tokens instead of code-host tokens, beside API tokens.',
    example: 'https://securetoken.google.com/my-project',
  }),
  OIDC_AUDIENCE: str({
    default: undefined,
    desc: 'The audience (`aud`) that those JWTs must have. Required with `OIDC_ISSUER`. With `PUBLIC_URL`, the URL of `/mcp` is accepted as an audience, too.',
    example: 'my-project',
  }),
  OIDC_JWKS_URL: httpUrl({
    default: undefined,
    desc: "URL of the issuer's public keys. Unset: taken from the issuer's discovery document.",
    example: 'https://issuer.example.com/.well-known/jwks.json',
  }),
  OIDC_HOST_USER_ID_CLAIM: claimPointer({
    default: undefined,
    desc: "JSON pointer to the claim with the user's numeric id on the code host. The issuer must have verified it: never use a claim that users can edit. Unset: `/firebase/identities/github.com/0` for Firebase's issuers, none for others.",
    example: '/firebase/identities/github.com/0',
  }),
  RATE_LIMITS: str({
    default: 'on',
    choices: ['on', 'off'],
    desc: 'Whether the service limits request rates. The five `RATE_LIMIT_` variables below set the limits of each user. Each IP address has limits, too: all its requests without a known token share 5 times the limits of one user, and all its signed-in users share 50 times these limits. Set `off` behind a gateway that limits request rates.',
  }),
  RATE_LIMIT_READS: atLeast(1)({
    default: 1200,
    desc: 'Reads per user and minute.',
  }),
  RATE_LIMIT_SEARCH: atLeast(1)({ default: 120, desc: 'Searches per user and minute.' }),
  RATE_LIMIT_WRITES: atLeast(1)({ default: 600, desc: 'Changes per user and minute.' }),
  RATE_LIMIT_HOST: atLeast(1)({
    default: 300,
    desc: 'Requests per user and minute that call the code host.',
  }),
  RATE_LIMIT_GENERATION: atLeast(1)({ default: 120, desc: 'Requests for articles per user and minute.' }),
  REDIS_URL: redisUrl({
    default: undefined,
    desc: 'URL of a Redis server, in which all nodes count requests together for the rate limits. Unset, or while Redis is unavailable: each node counts on its own.',
    example: 'redis://redis:6379',
  }),
  CORS_ORIGINS: origins({
    default: [],
    desc: 'Origins whose pages may call the API from a browser, separated by commas; `*` for any, `http://localhost:*` for any port. Unset: none.',
    example: 'https://reader.example.com',
  }),
  METRICS_ADDRESS: str({ default: '127.0.0.1', desc: 'Address on which the metrics port listens.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: undefined,
    desc: 'OpenTelemetry collector (OTLP over HTTP) for traces of requests and article jobs, with their queries, host calls and model calls. Unset: no traces.',
    example: 'http://127.0.0.1:4318',
  }),
  DRAIN_SECONDS: atLeast(
    0,
    300,
  )({
    default: 0,
    desc: 'How many seconds after SIGTERM the node still accepts requests while `/readyz` reports that it is not ready. Set the time that your load balancer takes to notice that the node is not ready.',
  }),
  LOG_FORMAT: str({
    default: undefined,
    choices: ['text', 'json'],
    desc: 'Format of the log: `text` for people, `json` for programs. Unset: text on a terminal, otherwise JSON.',
    example: 'text',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    desc: 'Log level: fatal, error, warn, info, debug, trace or silent.',
  }),
}
