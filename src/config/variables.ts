import { port, str } from 'envalid'
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

/** Every variable the service reads: the one source of the configuration, `.env.example` and the README's table. */
export const variables = {
  PORT: port({ default: 3000, desc: 'Port to listen on.' }),
  ADDRESS: str({ default: '127.0.0.1', desc: 'Address to listen on; `0.0.0.0` for all.' }),
  ROLE: str({
    default: 'all',
    choices: ['all', 'api', 'worker'],
    desc: 'What this node does: `api` answers requests, `worker` writes articles (and answers `/healthz` and `/readyz`), `all` both.',
  }),
  PUBLIC_URL: httpUrl({
    default: undefined,
    desc: 'Where people reach the service, for addresses in pages and feeds, and where a browser comes back to from signing in. Unset: as the request says.',
    example: 'https://pullpress.example.com',
  }),
  DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'Postgres 15 or newer. Unset: an embedded database in `DATA_DIR`.',
    example: 'postgres://pullpress:password@db:5432/pullpress',
  }),
  DIRECT_DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'The same database, by the same role, past the pooler that `DATABASE_URL` leads to: for migrations. Time-outs are then kept with the role. Unset: `DATABASE_URL` is Postgres itself.',
    example: 'postgres://pullpress:password@db:5432/pullpress',
  }),
  DATABASE_PREPARE: str({
    default: 'on',
    choices: ['on', 'off'],
    desc: 'Whether statements are prepared once for each connection: `off` behind PgBouncer before 1.21, or without its `max_prepared_statements`.',
  }),
  DATA_DIR: str({ default: '.data', desc: 'Folder of the embedded database and its encryption key.' }),
  CODE_HOST_API_URL: httpUrl({ default: new URL('https://api.github.com'), desc: 'REST API of the code host.' }),
  CODE_HOST_TOKEN: secret({
    default: undefined,
    desc: "The service's own token for the code host; needs no scope. It proves every 5 minutes that public repositories that are read still are public (hourly and anonymously without it), and looks up the profile of a user whose issuer vouches for the code-host identity.",
    example: 'host_pat_…',
  }),
  CODE_HOST_WEB_URL: httpUrl({ default: new URL('https://github.com'), desc: 'Pages of the code host.' }),
  CODE_HOST_CLIENT_ID: str({
    default: undefined,
    desc: 'An OAuth app of the code host, for signing in with a browser; it comes back to `/sign-in/done`. Unset: the page takes an access token instead.',
    example: 'Iv1.0123456789abcdef',
  }),
  CODE_HOST_CLIENT_SECRET: secret({
    default: undefined,
    desc: 'The secret of that app. Required with `CODE_HOST_CLIENT_ID`.',
    example: '0123456789abcdef…',
  }),
  OPENAI_API_KEY: secret({
    default: undefined,
    desc: 'Key of the model that writes articles. Unset: outlines are made without one.',
    example: 'sk-…',
  }),
  OPENAI_BASE_URL: httpUrl({
    default: undefined,
    desc: 'Any server that speaks the same protocol (chat completions). Unset: OpenAI.',
    example: 'http://127.0.0.1:11434/v1',
  }),
  OPENAI_MODEL: str({ default: 'gpt-5-mini', desc: 'Name of the model.' }),
  OPENAI_FALLBACK_MODEL: str({
    default: undefined,
    desc: 'A second model, asked where the first does not answer or answers nothing that can be used.',
    example: 'gpt-5-nano',
  }),
  MODEL_TOKENS_PER_CALL: atLeast(6000)({
    default: 24_000,
    desc: 'The most tokens a prompt may have, counted as OpenAI counts. Leave the model room for 16,000 more to answer.',
  }),
  MODEL_SECONDS_PER_CALL: atLeast(
    1,
    3600,
  )({
    default: 75,
    desc: 'How long the model may take to answer a call.',
  }),
  MODEL_CALLS_PER_ARTICLE: atLeast(4)({
    default: 12,
    desc: 'The most calls of a model for one article. What does not fit a call is read in up to this number less 4 parts.',
  }),
  MODEL_TOKENS_PER_ARTICLE: atLeast(12_000)({
    default: 300_000,
    desc: 'The most tokens, in and out, for one article; at least twice those of a call.',
  }),
  MODEL_TOKENS_PER_DAY: atLeast(0)({
    default: undefined,
    desc: 'The most tokens, in and out, for all articles of a day (UTC). Unset: no limit.',
    example: '5000000',
  }),
  ARTICLE_QUOTA_PER_DAY: atLeast(0)({
    default: 100,
    desc: 'How many articles a user may have written in a day (UTC).',
  }),
  ARTICLES_AT_ONCE: atLeast(1, 100)({ default: 4, desc: 'How many articles a node writes at once.' }),
  ARTICLES_FOR_PRIVATE: str({
    default: 'off',
    choices: ['on', 'off'],
    desc: 'Whether what private repositories hold may be sent to the model: `on` or `off`.',
  }),
  TOKEN_ENCRYPTION_KEY: base64Keys({
    default: undefined,
    desc: 'Encrypts saved code-host tokens: 32 bytes in base64 (`openssl rand -base64 32`). Several, separated by commas: the first encrypts, all decrypt. Required with `DATABASE_URL`; the embedded database makes its own and keeps it in `DATA_DIR`.',
    example: 'new-key-in-base64,former-key-in-base64',
  }),
  OIDC_ISSUER: httpUrl({
    default: undefined,
    desc: 'With it, only JWTs of this OpenID Connect issuer are accepted as bearer tokens, no code-host tokens.',
    example: 'https://securetoken.google.com/my-project',
  }),
  OIDC_AUDIENCE: str({
    default: undefined,
    desc: 'The audience those JWTs must name. Required with `OIDC_ISSUER`.',
    example: 'my-project',
  }),
  OIDC_JWKS_URL: httpUrl({
    default: undefined,
    desc: "The issuer's public keys. Unset: found through the issuer's discovery document.",
    example: 'https://issuer.example.com/.well-known/jwks.json',
  }),
  OIDC_HOST_USER_ID_CLAIM: claimPointer({
    default: undefined,
    desc: "JSON pointer to the claim in which the issuer itself vouches for the numeric code-host user id. Never a claim users can edit. Unset: `/firebase/identities/github.com/0` for Firebase's issuers, none for others.",
    example: '/firebase/identities/github.com/0',
  }),
  RATE_LIMITS: str({
    default: 'on',
    choices: ['on', 'off'],
    desc: 'Whether requests are limited: `off` behind a gateway that does it.',
  }),
  RATE_LIMIT_READS: atLeast(1)({
    default: 1200,
    desc: 'How much a user may read in a minute. An address: 5 times that without a token, 50 times by all users behind it; so for the following three.',
  }),
  RATE_LIMIT_WRITES: atLeast(1)({ default: 600, desc: 'How often a user may change something in a minute.' }),
  RATE_LIMIT_HOST: atLeast(1)({
    default: 300,
    desc: 'How often a user may ask for what the code host is asked about, in a minute.',
  }),
  RATE_LIMIT_GENERATION: atLeast(1)({ default: 120, desc: 'How often a user may ask for articles in a minute.' }),
  REDIS_URL: redisUrl({
    default: undefined,
    desc: 'Redis, by which all nodes count requests together. Unset, or while it is away: each node counts by itself.',
    example: 'redis://redis:6379',
  }),
  METRICS_PORT: port({
    default: undefined,
    desc: 'Port on which `/metrics` tells Prometheus what goes on. Unset: nowhere.',
    example: '9464',
  }),
  METRICS_ADDRESS: str({ default: '127.0.0.1', desc: 'Address on which that port listens.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: undefined,
    desc: 'A collector that takes OpenTelemetry traces by HTTP, of requests and of the writing of articles, with the queries, host calls and model calls that each took. Unset: none are made.',
    example: 'http://127.0.0.1:4318',
  }),
  MODEL_PRICES: prices({
    default: undefined,
    desc: 'What a million tokens cost, read and written, for the metrics: two numbers, such as `0.25,2`.',
    example: '0.25,2',
  }),
  DRAIN_SECONDS: atLeast(
    0,
    300,
  )({
    default: 0,
    desc: 'After SIGTERM, for how long requests are still taken while `/readyz` says no: as long as your load balancer takes to notice.',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    desc: 'One of fatal, error, warn, info, debug, trace, silent.',
  }),
  CORS_ORIGINS: origins({
    default: [],
    desc: 'Origins whose pages may call the API, separated by commas; `*` for any. Unset: none.',
    example: 'https://reader.example.com',
  }),
  TRUSTED_PROXIES: addresses({
    default: [],
    desc: 'Addresses or ranges of proxies whose `X-Forwarded-For` is believed, separated by commas. Unset: none.',
    example: '10.0.0.0/8',
  }),
}
