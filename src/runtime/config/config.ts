import { customCleanEnv } from 'envalid'
import type { Secret } from '../../lib/secret.ts'
import type { LogFormat } from '../../logger.ts'
import type { Allowances } from '../limits/limits.ts'
import { conflictsOf } from './conflicts.ts'
import type { Prices } from './prices.ts'
import { defaultSignUp, type SignUp } from './signUp.ts'
import { readSources } from './sources.ts'
import { DEFAULT_MODEL, DEFAULT_PRICES } from './variables/recommended.ts'
import { variables } from './variables.ts'

export interface Config {
  port: number
  address: string
  role: Role
  databaseUrl: Secret | undefined
  directDatabaseUrl: Secret | undefined
  preparesStatements: boolean
  dataDir: string
  publicUrl: URL | undefined
  signUp: SignUp
  codeHost: { apiUrl: URL; webUrl: URL; token: Secret | undefined; oauth: OAuthConfig | undefined }
  model: ModelConfig | undefined
  articles: ArticlesConfig
  automaticArticles: AutomaticArticlesConfig
  /** Undefined without webhooks. A delivery may be signed with any of these secrets. */
  webhookSecrets: Secret[] | undefined
  encryptionKeys: Secret[] | undefined
  oidc: OidcConfig | undefined
  /** Undefined if rate limits are off. */
  limits: Allowances | undefined
  redisUrl: Secret | undefined
  metrics: { port: number; address: string } | undefined
  tracesUrl: URL | undefined
  drainSeconds: number
  logLevel: string
  /** Undefined: by the kind of standard output. */
  logFormat: LogFormat | undefined
  corsOrigins: string[]
  trustedProxies: string[]
}

export type Role = 'all' | 'api' | 'worker'

/** The OAuth app for sign-in with the code host. */
export interface OAuthConfig {
  clientId: string
  clientSecret: Secret
}

/** `names` holds the model and, if configured, its fallback. */
export interface ModelConfig {
  apiKey: Secret
  baseUrl: URL | undefined
  names: string[]
  /** The reasoning effort that a model is asked for. Undefined: the server's default. */
  reasoningEffort: string | undefined
  /** The processing tier of model calls for automatic articles. */
  automaticTier: string | undefined
  tokensPerCall: number
  outputTokensPerCall: number
  secondsPerCall: number
  callsPerArticle: number
  tokensPerArticle: number
  tokensPerDay: number
  /** By the name of the model. A model without prices is not in it. */
  prices: Record<string, Prices>
}

export interface ArticlesConfig {
  quotaPerDay: number
  /** The languages that articles may be written in, the default one first. Undefined: all. */
  languages: [string, ...string[]] | undefined
  atOnce: number
  forPrivate: boolean
}

export interface AutomaticArticlesConfig {
  /** Whether the operator wants automatic articles. They still need CODE_HOST_TOKEN. */
  areWanted: boolean
  perDay: number
  perRepository: number
  intervalSeconds: number
  callsPerHour: number
}

export interface OidcConfig {
  issuer: string
  audience: string
  jwksUrl: URL | undefined
  hostUserIdClaim: string | undefined
}

/** Lists what is wrong, a line for each variable. The message never contains values, which may be secret. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(['The configuration is not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'))
    this.problems = problems
  }
}

/** Reads and validates the configuration. Programs that never encrypt do not need a key. */
export function readConfig(environment: NodeJS.ProcessEnv, { encrypts = true } = {}): Config {
  const { values: set, problems, unread } = readSources(environment)
  const env = customCleanEnv(set, variables, (cleaned) => cleaned, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) problems.push(`${name} ${reason(name, error)}`)
    },
  })
  problems.push(...conflictsOf(set, encrypts, unread))
  const isAnywhere = [env.ADDRESS, env.METRICS_ADDRESS].some((address) => address === '0.0.0.0' || address === '::')
  if (env.METRICS_PORT === env.PORT && (isAnywhere || env.ADDRESS === env.METRICS_ADDRESS))
    problems.push('METRICS_PORT must differ from PORT')
  // Unless it is set, the budget of a call shrinks with that of an article, so operators need to lower only the latter.
  const tokensPerCall = set.MODEL_TOKENS_PER_CALL
    ? env.MODEL_TOKENS_PER_CALL
    : Math.min(env.MODEL_TOKENS_PER_CALL, Math.floor(env.MODEL_TOKENS_PER_ARTICLE / 2))
  if (env.MODEL_TOKENS_PER_ARTICLE < 2 * tokensPerCall)
    problems.push('MODEL_TOKENS_PER_ARTICLE must be at least twice MODEL_TOKENS_PER_CALL')
  if (problems.length > 0) throw new ConfigError(problems)
  const modelNames = [env.OPENAI_MODEL, ...(env.OPENAI_FALLBACK_MODEL ? [env.OPENAI_FALLBACK_MODEL] : [])]

  return {
    port: env.PORT,
    address: env.ADDRESS,
    role: env.ROLE as Role,
    databaseUrl: env.DATABASE_URL,
    directDatabaseUrl: env.MIGRATIONS_DATABASE_URL,
    preparesStatements: env.PREPARED_STATEMENTS === 'on',
    dataDir: env.DATA_DIR,
    publicUrl: env.PUBLIC_URL,
    signUp: env.SIGN_UP ?? defaultSignUp(env.PUBLIC_URL, env.ADDRESS),
    codeHost: {
      apiUrl: env.CODE_HOST_API_URL,
      webUrl: env.CODE_HOST_WEB_URL,
      token: env.CODE_HOST_TOKEN,
      oauth:
        env.CODE_HOST_CLIENT_ID && env.CODE_HOST_CLIENT_SECRET
          ? { clientId: env.CODE_HOST_CLIENT_ID, clientSecret: env.CODE_HOST_CLIENT_SECRET }
          : undefined,
    },
    model: env.OPENAI_API_KEY && {
      apiKey: env.OPENAI_API_KEY,
      baseUrl: env.OPENAI_BASE_URL,
      names: modelNames,
      reasoningEffort: env.OPENAI_REASONING_EFFORT,
      automaticTier: env.OPENAI_SERVICE_TIER,
      tokensPerCall,
      outputTokensPerCall: env.MODEL_OUTPUT_TOKENS,
      secondsPerCall: env.MODEL_SECONDS_PER_CALL,
      callsPerArticle: env.MODEL_CALLS_PER_ARTICLE,
      tokensPerArticle: env.MODEL_TOKENS_PER_ARTICLE,
      tokensPerDay: env.MODEL_TOKENS_PER_DAY,
      prices: pricesOf(modelNames, env.MODEL_PRICES_PER_MILLION_TOKENS, env.OPENAI_BASE_URL),
    },
    articles: {
      quotaPerDay: env.ARTICLE_QUOTA_PER_DAY,
      languages: env.LANGUAGES,
      atOnce: env.ARTICLES_AT_ONCE,
      forPrivate: env.SEND_PRIVATE_CODE_TO_MODEL === 'on',
    },
    automaticArticles: {
      areWanted: env.AUTOMATIC_ARTICLES === 'on',
      perDay: env.AUTOMATIC_ARTICLES_PER_DAY,
      perRepository: env.AUTOMATIC_ARTICLES_PER_REPOSITORY,
      intervalSeconds: env.WATCH_INTERVAL_SECONDS,
      callsPerHour: env.WATCH_CALLS_PER_HOUR,
    },
    webhookSecrets: env.WEBHOOK_SECRET,
    encryptionKeys: env.TOKEN_ENCRYPTION_KEY,
    oidc: env.OIDC_ISSUER && {
      // The text as configured: a JWT's `iss` must match it exactly, and URL would add a slash.
      issuer: set.OIDC_ISSUER ?? '',
      audience: env.OIDC_AUDIENCE ?? '',
      jwksUrl: env.OIDC_JWKS_URL,
      hostUserIdClaim: env.OIDC_HOST_USER_ID_CLAIM ?? firebaseClaim(env.OIDC_ISSUER),
    },
    limits:
      env.RATE_LIMITS === 'on'
        ? {
            reads: env.RATE_LIMIT_READS,
            search: env.RATE_LIMIT_SEARCH,
            writes: env.RATE_LIMIT_WRITES,
            host: env.RATE_LIMIT_HOST,
            generation: env.RATE_LIMIT_GENERATION,
          }
        : undefined,
    redisUrl: env.REDIS_URL,
    metrics: env.METRICS_PORT === undefined ? undefined : { port: env.METRICS_PORT, address: env.METRICS_ADDRESS },
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    drainSeconds: env.DRAIN_SECONDS,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT as LogFormat | undefined,
    corsOrigins: env.CORS_ORIGINS,
    trustedProxies: env.TRUSTED_PROXIES,
  }
}

/** The prices of each model, in the order in which they are configured. The default model has known ones at OpenAI. */
function pricesOf(names: string[], configured: Prices[] | undefined, server: URL | undefined): Record<string, Prices> {
  const known = (name: string) => (name === DEFAULT_MODEL && server === undefined ? DEFAULT_PRICES : undefined)
  return Object.fromEntries(
    names.flatMap((name, i) => {
      const prices = configured?.[i] ?? known(name)
      return prices ? [[name, prices]] : []
    }),
  )
}

function firebaseClaim(issuer: URL): string | undefined {
  return issuer.origin === 'https://securetoken.google.com' ? '/firebase/identities/github.com/0' : undefined
}

function reason(name: string, error: Error): string {
  if (name === 'PORT' || name === 'METRICS_PORT') return 'must be a port number'
  const choices = Object.entries(variables).find(([known]) => known === name)?.[1].choices
  if (choices) return `must be one of ${choices.join(', ')}`
  return error.message
}
