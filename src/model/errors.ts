/** The model will not answer this very question, whichever way it is asked. */
export class PromptRefused extends Error {}

/** The model does not answer, or will not answer us. */
export class ModelUnavailable extends Error {
  /** Seconds after which it said it would, where it did. */
  readonly retryAfter: number | undefined
  /** Whether to ask once more may help. */
  readonly passing: boolean
  /** No answer came to its end, although the server may have read the prompt. */
  readonly silent: boolean

  constructor(
    message: string,
    more: Partial<Pick<ModelUnavailable, 'retryAfter' | 'passing' | 'silent' | 'cause'>> = {},
  ) {
    super(message, { cause: more.cause })
    this.retryAfter = more.retryAfter
    this.passing = more.passing ?? true
    this.silent = more.silent ?? false
  }
}

export function answerTooLarge(): ModelUnavailable {
  return new ModelUnavailable('Its answer is too large.', { passing: false, silent: true })
}
