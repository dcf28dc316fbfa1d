import { port, str } from 'envalid'
import { addresses, atLeast, httpUrl, secret } from '../parsers.ts'

export const DEFAULT_MODEL = 'gpt-6-luna'
/** In US dollars per million tokens, for prompts of at most 272,000 tokens. */
export const DEFAULT_PRICES = { input: 0.1, output: 0.5, cached: 0.01, cacheWrite: 0.125 }

/** Variables that a deployment should set, or decide not to set. */
export const recommended = {
  TRUSTED_PROXIES: addresses({
    default: [],
    desc: 'Addresses or ranges of proxies whose `X-Forwarded-` and `X-Request-Id` headers are trusted, separated by commas. Unset: none.',
    example: '10.0.0.0/8',
  }),
  CODE_HOST_TOKEN: secret({
    default: undefined,
    desc: "The service's own access token for the code host; it needs no scope. With a token, the service checks that a public repository is still public whenever someone reads about that repository and the last check is older than 5 minutes. Without a token, the service checks each repository at most once an hour, anonymously; GitHub allows 60 anonymous requests an hour in total. The token is also used to fetch the profiles of users that `OIDC_HOST_USER_ID_CLAIM` identifies.",
    example: 'host_pat_…',
  }),
  CODE_HOST_CLIENT_ID: str({
    default: undefined,
    desc: 'Client ID of a GitHub App or an OAuth app of the code host, for sign-in with a browser. Its callback path is `/sign-in/done`. Unset: the sign-in page asks for an access token instead.',
    example: 'Iv1.0123456789abcdef',
  }),
  CODE_HOST_CLIENT_SECRET: secret({
    default: undefined,
    desc: 'Client secret of that app. Required with `CODE_HOST_CLIENT_ID`.',
    example: '0123456789abcdef…',
  }),
  OPENAI_API_KEY: secret({
    default: undefined,
    desc: 'API key of the model that writes articles. The model is used only if this is set: if your model server needs no key, set any value. Unset: articles are outlines, made without a model.',
    example: 'sk-…',
  }),
  OPENAI_BASE_URL: httpUrl({
    default: undefined,
    desc: "Base URL of any server with OpenAI's chat completions API. Unset: OpenAI.",
    example: 'http://127.0.0.1:11434/v1',
  }),
  OPENAI_MODEL: str({ default: DEFAULT_MODEL, desc: 'Name of the model.' }),
  MODEL_TOKENS_PER_DAY: atLeast(0)({
    default: 2_000_000,
    desc: 'Maximum input and output tokens for all articles in a day (UTC). Calls that run when it is reached are finished.',
  }),
  AUTOMATIC_ARTICLES: str({
    default: 'off',
    choices: ['on', 'off'],
    desc: "Whether articles about merged pull requests of users' favorites are written without a request: `on` or `off`. Requires `CODE_HOST_TOKEN`. Public repositories only.",
  }),
  SEND_PRIVATE_CODE_TO_MODEL: str({
    default: 'off',
    choices: ['on', 'off'],
    desc: 'Whether the contents of private repositories may be sent to the model: `on` or `off`.',
  }),
  METRICS_PORT: port({
    default: undefined,
    desc: 'Port that serves Prometheus metrics at `/metrics`. Unset: no metrics.',
    example: '9464',
  }),
}
