export class HostTokenRefused extends Error {
  constructor() {
    super('The code host refuses the token.')
  }
}

/**
 * During a longer pause, one trial call is made after each interval of this length, because the response that caused
 * the pause may have been wrong.
 */
export const TRIAL_INTERVAL_SECONDS = 5 * 60

export class HostRateLimited extends Error {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('The rate limit of the code host is exhausted.')
    this.retryAfter = retryAfter
  }
}

/** The code host limits searches separately: the token can still be used for other calls. */
export class HostSearchLimited extends HostRateLimited {}

/** The code host did not answer, or its response is not valid. */
export class HostUnavailable extends Error {
  /** Undefined without a response. */
  readonly status: number | undefined
  /** In seconds, if the code host said so. */
  readonly retryAfter: number | undefined

  constructor(message: string, status?: number, options: { retryAfter?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.status = status
    this.retryAfter = options.retryAfter
  }
}

/**
 * The code host forbids a resource to this token, for example by a rule of the resource's organization. Other tokens
 * may see it.
 */
export class HostForbidden extends HostUnavailable {
  /** The URL where the owner can authorize the token. */
  readonly authorizationUrl: string | undefined

  constructor(authorizationUrl: string | undefined) {
    super('The code host answered 403.', 403)
    this.authorizationUrl = authorizationUrl
  }
}

export class HostAnswerTooLarge extends HostUnavailable {
  constructor() {
    super('The response of the code host is too large.')
  }
}
