import { NO_USAGE, type Usage } from './call.ts'

/** The server rejects this prompt in every request format. */
export class PromptRefused extends Error {}

/** The model cannot read a prompt of this length: its server rejects it, or cuts it without saying so. */
export class WindowTooSmall extends Error {
  readonly promptTokens: number
  /** Undefined if the server does not tell. */
  readonly windowTokens: number | undefined
  /** The model tokens that were used until this was known. */
  readonly usage: Usage

  constructor(promptTokens: number, windowTokens: number | undefined, { usage = NO_USAGE, isUnclear = false } = {}) {
    const read =
      windowTokens === undefined ? '' : `: it holds ${windowTokens} tokens with the answer, by the server's count`
    const message =
      isUnclear && windowTokens === undefined
        ? `It is not clear that the model reads a prompt of ${promptTokens} tokens whole: it did not repeat the words in it.`
        : `The model's context window is too small for a prompt of ${promptTokens} tokens${read}.`
    super(`${message} The operator must give the model a larger window or lower MODEL_TOKENS_PER_CALL.`)
    this.promptTokens = promptTokens
    this.windowTokens = windowTokens
    this.usage = usage
  }
}

/** The model server is down, too slow, or refuses our requests. */
export class ModelUnavailable extends Error {
  /** Seconds to wait before the next call, if the server said so. */
  readonly retryAfter: number | undefined
  /** Whether a retry may succeed. */
  readonly passing: boolean
  /** No complete answer arrived, but the server may have processed (and charged for) the prompt. */
  readonly silent: boolean
  /** Undefined without an HTTP response. */
  readonly status: number | undefined

  constructor(
    message: string,
    more: Partial<Pick<ModelUnavailable, 'retryAfter' | 'passing' | 'silent' | 'status' | 'cause'>> = {},
  ) {
    super(message, { cause: more.cause })
    this.retryAfter = more.retryAfter
    this.passing = more.passing ?? true
    this.silent = more.silent ?? false
    this.status = more.status
  }
}

export function answerTooLarge(): ModelUnavailable {
  return new ModelUnavailable("The model's answer is too large.", { passing: false, silent: true })
}
