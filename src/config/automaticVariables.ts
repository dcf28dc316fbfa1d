import { str } from 'envalid'
import { atLeast, secrets } from './parsers.ts'

/** Variables of articles that are written without a request. */
export const automaticVariables = {
  AUTOMATIC_ARTICLES: str({
    default: 'off',
    choices: ['on', 'off'],
    desc: "Whether articles about merged pull requests of users' favorites are written without a request: `on` or `off`. Requires `CODE_HOST_TOKEN`. Public repositories only.",
  }),
  AUTOMATIC_ARTICLES_PER_DAY: atLeast(0)({
    default: 20,
    desc: 'Maximum number of such articles in a day (UTC). They are begun while less than half of `MODEL_TOKENS_PER_DAY` is used.',
  }),
  AUTOMATIC_ARTICLES_PER_REPOSITORY: atLeast(0)({
    default: 5,
    desc: 'Maximum number of such articles about one repository in a day (UTC).',
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
    desc: "Maximum number of the service's own calls to the code host in an hour to find merged pull requests and articles to write.",
  }),
  WEBHOOK_SECRET: secrets({
    default: undefined,
    desc: 'Secret of webhooks that the code host sends to `/webhooks/host`, so that merged pull requests are found at once. To rotate, list several, separated by commas. Unset: no webhooks.',
    example: 'new-secret,old-secret',
  }),
}
