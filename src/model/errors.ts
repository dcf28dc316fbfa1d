/** The model does not answer, or will not answer us. */
export class ModelUnavailable extends Error {
  /** Seconds after which it said it would, where it did. */
  readonly retryAfter: number | undefined
  /** Whether to ask once more may help. */
  readonly passing: boolean

  constructor(
    message: string,
    { retryAfter, passing = true, cause }: { retryAfter?: number | undefined; passing?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.retryAfter = retryAfter
    this.passing = passing
  }
}
