import { port, str } from 'envalid'
import { automaticVariables } from './automaticVariables.ts'
import {
  addresses,
  atLeast,
  base64Keys,
  claimPointer,
  httpUrl,
  origins,
  postgresUrl,
  prices,
  redisUrl,
  secret,
} from './parsers.ts'

/** All variables that the service reads. `.env.example` and the README's table are generated from them. */
export const variables = {
  PORT: port({ default: 3000, desc: 'Port to listen on.' }),
  ADDRESS: str({
    default: '127.0.0.1',
    desc: 'Address to listen on. `0.0.0.0` listens on all interfaces, for example in a container.',
  }),
  ROLE: str({
    default: 'all',
    choices: ['all', 'api', 'worker'],
    desc: 'The work of this node: `api` serves requests, `worker` writes articles (and serves only `/healthz` and `/readyz`), `all` does both.',
  }),
  PUBLIC_URL: httpUrl({
    default: undefined,
    desc: 'Recommended. Public URL of the service, for links in pages and feeds and for the return from sign-in. Behind a TLS proxy, forms such as sign-in may be rejected without it. Unset: the URL of each request.',
    example: 'https://pullpress.example.com',
  }),
  DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'URL of a Postgres database, version 15 or newer. Unset: an embedded database in `DATA_DIR`.',
    example: 'postgres://pullpress:password@db:5432/pullpress',
  }),
  DIRECT_DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'Only if `DATABASE_URL` leads to a pooler: the same database and role without the pooler, for migrations. Statement timeouts are then set on the database role, since a pooler shares connections. Leave it unset if `DATABASE_URL` leads to Postgres itself.',
    example: 'postgres://pullpress:password@db:5432/pullpress',
  }),
  DATABASE_PREPARE: str({
    default: 'on',
    choices: ['on', 'off'],
    desc: 'Whether to use prepared statements. Set `off` behind PgBouncer before 1.21, or without its `max_prepared_statements`.',
  }),
  DATA_DIR: str({ default: '.data', desc: 'Folder of the embedded database and its encryption key.' }),
  CODE_HOST_API_URL: httpUrl({ default: new URL('https://api.github.com'), desc: "URL of the code host's REST API." }),
  CODE_HOST_TOKEN: secret({
    default: undefined,
    desc: "Recommended. The service's own token for the code host; it needs no scope. With it, whenever someone reads about a public repository, the service checks that it is still public, at most every 5 minutes. Without a token, the service checks hourly and anonymously, which GitHub limits to 60 checks an hour. The token is also used to fetch the profiles of users that `OIDC_HOST_USER_ID_CLAIM` identifies.",
    example: 'host_pat_…',
  }),
  CODE_HOST_WEB_URL: httpUrl({ default: new URL('https://github.com'), desc: "URL of the code host's web pages." }),
  CODE_HOST_CLIENT_ID: str({
    default: undefined,
    desc: 'Client ID of an OAuth app of the code host, for sign-in with a browser. Its callback path is `/sign-in/done`. Unset: the sign-in page asks for an access token instead.',
    example: 'Iv1.0123456789abcdef',
  }),
  CODE_HOST_CLIENT_SECRET: secret({
    default: undefined,
    desc: 'Client secret of that OAuth app. Required with `CODE_HOST_CLIENT_ID`.',
    example: '0123456789abcdef…',
  }),
  OPENAI_API_KEY: secret({
    default: undefined,
    desc: 'API key of the model that writes articles. It also turns the model on, so set any value for a server without keys. Unset: articles are outlines, made without a model.',
    example: 'sk-…',
  }),
  OPENAI_BASE_URL: httpUrl({
    default: undefined,
    desc: 'Base URL of any server with the same API (chat completions). Unset: OpenAI.',
    example: 'http://127.0.0.1:11434/v1',
  }),
  OPENAI_MODEL: str({ default: 'gpt-5-mini', desc: 'Name of the model.' }),
  OPENAI_FALLBACK_MODEL: str({
    default: undefined,
    desc: 'A second model, used if the first does not answer or its answer cannot be used.',
    example: 'gpt-5-nano',
  }),
  MODEL_TOKENS_PER_CALL: atLeast(8000)({
    default: 64_000,
    desc: "Maximum tokens of one prompt, counted with OpenAI's tokenizer. The model needs room for 16,000 output tokens in addition.",
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
  MODEL_TOKENS_PER_DAY: atLeast(0)({
    default: undefined,
    desc: 'Maximum input and output tokens for all articles in a day (UTC). Unset: no limit.',
    example: '5000000',
  }),
  ARTICLE_QUOTA_PER_DAY: atLeast(0)({
    default: 100,
    desc: 'Maximum number of articles written for one user in a day (UTC).',
  }),
  ARTICLES_AT_ONCE: atLeast(
    1,
    100,
  )({ default: 4, desc: 'Maximum number of articles that one node writes at the same time.' }),
  ARTICLES_FOR_PRIVATE: str({
    default: 'off',
    choices: ['on', 'off'],
    desc: 'Whether the contents of private repositories may be sent to the model: `on` or `off`.',
  }),
  ...automaticVariables,
  TOKEN_ENCRYPTION_KEY: base64Keys({
    default: undefined,
    desc: 'Encrypts stored code-host tokens: 32 bytes in base64 (`openssl rand -base64 32`). To rotate keys, list several, separated by commas: the first encrypts, all decrypt. Required with `DATABASE_URL`; the embedded database creates its own key in `DATA_DIR`.',
    example: 'new-key-in-base64,old-key-in-base64',
  }),
  OIDC_ISSUER: httpUrl({
    default: undefined,
    desc: 'OpenID Connect issuer. If set, only its JWTs are accepted as bearer tokens, not code-host tokens.',
    example: 'https://securetoken.google.com/my-project',
  }),
  OIDC_AUDIENCE: str({
    default: undefined,
    desc: 'The audience (`aud`) that those JWTs must have. Required with `OIDC_ISSUER`.',
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
    desc: 'Whether the service limits request rates, by the five `RATE_LIMIT_` variables below. Set `off` behind a gateway that does.',
  }),
  RATE_LIMIT_READS: atLeast(1)({
    default: 1200,
    desc: 'Reads per user and minute. Each of the five limits also exists per address: 5 times the value for all requests without a known token together, 50 times the value for all signed-in users together.',
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
    desc: 'Redis, in which all nodes count requests together. Unset, or while Redis is unavailable: each node counts on its own.',
    example: 'redis://redis:6379',
  }),
  METRICS_PORT: port({
    default: undefined,
    desc: 'Port that serves Prometheus metrics at `/metrics`. Unset: no metrics.',
    example: '9464',
  }),
  METRICS_ADDRESS: str({ default: '127.0.0.1', desc: 'Address on which the metrics port listens.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: undefined,
    desc: 'OpenTelemetry collector (OTLP over HTTP) for traces of requests and article jobs, with their queries, host calls and model calls. Unset: no traces.',
    example: 'http://127.0.0.1:4318',
  }),
  MODEL_PRICES: prices({
    default: undefined,
    desc: 'Prices of a million input tokens and a million output tokens, in any currency, for the cost metric: two numbers, such as `0.25,2`.',
    example: '0.25,2',
  }),
  DRAIN_SECONDS: atLeast(
    0,
    300,
  )({
    default: 0,
    desc: 'How many seconds after SIGTERM the node still accepts requests while `/readyz` reports that it is not ready. Set the time that your load balancer takes to notice.',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    desc: 'Log level: fatal, error, warn, info, debug, trace or silent.',
  }),
  CORS_ORIGINS: origins({
    default: [],
    desc: 'Origins whose pages may call the API from a browser, separated by commas; `*` for any, `http://localhost:*` for any port. Unset: none.',
    example: 'https://reader.example.com',
  }),
  TRUSTED_PROXIES: addresses({
    default: [],
    desc: 'Addresses or ranges of proxies whose `X-Forwarded-` headers are trusted, separated by commas. Unset: none.',
    example: '10.0.0.0/8',
  }),
}
