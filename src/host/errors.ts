/** The code host refuses the token. */
export class HostTokenRefused extends Error {
  constructor() {
    super('The code host refuses the token.')
  }
}

/** No token rests longer, whatever the code host says. */
export const MAX_REST_SECONDS = 24 * 60 * 60

/** The code host will not answer this token for a while. */
export class HostRateLimited extends Error {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('The rate limit of the code host is spent.')
    this.retryAfter = retryAfter
  }
}

/** The code host does not answer, or not in a way that can be understood. */
export class HostUnavailable extends Error {
  /** What it answered, where it answered at all. */
  readonly status: number | undefined
  /** In seconds, where it said so. */
  readonly retryAfter: number | undefined

  constructor(message: string, status?: number, more: { retryAfter?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.status = status
    this.retryAfter = more.retryAfter
  }
}

/** The code host answers more than can be taken in. */
export class HostAnswerTooLarge extends HostUnavailable {
  constructor() {
    super('Its answer was too large.')
  }
}
