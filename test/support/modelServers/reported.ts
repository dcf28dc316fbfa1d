import { type Refusal, type Rule, refusal, type ServerRequest } from './rule.ts'
import type { Tokenizer } from './tokenizer.ts'

/** A refusal that users of hosted models or local servers have reported. */
interface Reported {
  isRefused(request: ServerRequest, tokenizer: Tokenizer): boolean
  refusal(request: ServerRequest, tokenizer: Tokenizer): Refusal
}

export function reported({ isRefused, refusal: refusalOf }: Reported): Rule {
  return {
    refuse: (request, tokenizer) => (isRefused(request, tokenizer) ? refusalOf(request, tokenizer) : undefined),
  }
}

interface ReportedPart {
  rules: Rule[]
  refusals: number
  /** The parts that the client leaves out of its next request. */
  dropped: string[]
}

const asBody = (status: number, body: unknown): Refusal => ({ status, body: body as Refusal['body'] })
const forbidden = (name: string) => ({
  ...{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted', input: false },
})

function when(isRefused: Reported['isRefused'], told: Refusal): Rule {
  return reported({ isRefused, refusal: () => told })
}

const isSchema = ({ response_format: format }: ServerRequest) => format?.type === 'json_schema'
const INVALID = 'invalid_request_error'

export const parts: Record<string, ReportedPart> = {
  'Groq: store': {
    rules: [
      when(
        ({ store }) => store !== undefined,
        asBody(400, { error: { message: "property 'store' is unsupported, did you mean 'stop'?", type: INVALID } }),
      ),
    ],
    refusals: 1,
    dropped: ['store'],
  },
  'Gemini: store': {
    rules: [
      when(
        ({ store }) => store !== undefined,
        gemini('Invalid JSON payload received. Unknown name "store": Cannot find field.'),
      ),
    ],
    refusals: 1,
    dropped: ['store'],
  },
  'Mistral: two parameters at once': {
    rules: [
      reported({
        isRefused: (request) => 'store' in request || 'max_completion_tokens' in request,
        refusal: (request) =>
          asBody(422, { detail: ['store', 'max_completion_tokens'].filter((name) => name in request).map(forbidden) }),
      }),
    ],
    refusals: 2,
    dropped: ['max_completion_tokens', 'store'],
  },
  'OpenAI: streams for accounts that are not verified': {
    rules: [
      when(
        ({ stream }) => stream === true,
        refusal(
          'Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it can take up to 15 minutes for access to propagate.',
          { param: 'stream', code: 'unsupported_value' },
        ),
      ),
    ],
    refusals: 1,
    dropped: ['stream', 'stream_options'],
  },
  'OpenAI: an effort': {
    rules: [
      when(
        ({ reasoning_effort: effort }) => effort === 'high',
        refusal(
          "Unsupported value: 'reasoning_effort' does not support 'high' with this model. Supported values are: 'none', 'low', and 'medium'.",
          { param: 'reasoning_effort', code: 'unsupported_value' },
        ),
      ),
    ],
    refusals: 1,
    dropped: ['reasoning_effort'],
  },
  'xAI: an effort': {
    rules: [
      when(
        ({ reasoning_effort: effort }) => effort !== undefined,
        asBody(400, {
          code: 'Client specified an invalid argument',
          error: 'Model grok-4 does not support parameter reasoningEffort.',
        }),
      ),
    ],
    refusals: 1,
    dropped: ['reasoning_effort'],
  },
  'OpenAI: schemas for older models': {
    rules: [
      when(
        isSchema,
        refusal(
          "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide: https://platform.openai.com/docs/guides/structured-outputs",
          { param: 'response_format' },
        ),
      ),
    ],
    refusals: 1,
    dropped: ['json_schema', 'strict'],
  },
  'DeepSeek: schemas': {
    rules: [when(isSchema, refusal('This response_format type is unavailable now', { code: INVALID }))],
    refusals: 1,
    dropped: ['json_schema', 'strict'],
  },
  'LM Studio: JSON without a schema': {
    rules: [
      when(
        ({ response_format: format }) => format?.type === 'json_object',
        asBody(400, { error: "'response_format.type' must be 'json_schema' or 'text'" }),
      ),
      { read: (reading) => ({ ...reading, schema: undefined, isJson: false }) },
    ],
    refusals: 1,
    dropped: ['json_schema', 'strict', 'json_object'],
  },
}

const outputTokens = ({ max_completion_tokens, max_tokens }: ServerRequest) => max_completion_tokens ?? max_tokens ?? 0
const LIMIT = 8192

function outputLimit(refusalOf: (tokens: number) => Refusal): Rule {
  return reported({
    isRefused: (request) => outputTokens(request) > LIMIT,
    refusal: (request) => refusalOf(outputTokens(request)),
  })
}

/** How servers say that they write at most 8192 tokens. */
export const outputLimits: Record<string, Rule> = {
  Groq: outputLimit(() =>
    asBody(400, {
      error: {
        message: `max_completion_tokens must be less than or equal to ${LIMIT}, the maximum value for max_completion_tokens is less than the context_window for this model`,
        type: INVALID,
        param: 'max_completion_tokens',
      },
    }),
  ),
  DeepSeek: outputLimit(() =>
    refusal(`Invalid max_tokens value, the valid range of max_tokens is [1, ${LIMIT}]`, { code: INVALID }),
  ),
  'Ollama Cloud': outputLimit((tokens) =>
    refusal(`max_tokens (${tokens}) exceeds model's maximum output tokens (${LIMIT}) for model some:1b`),
  ),
  Anthropic: outputLimit((tokens) =>
    refusal(`max_tokens: ${tokens} > ${LIMIT}, which is the maximum allowed number of output tokens for some-model`),
  ),
}

type Sizes = { prompt: number; output: number; window: number }

/** Refuses prompts that leave no room for the whole answer. */
function totalLimit(window: number, refusalOf: (sizes: Sizes) => Refusal): Rule {
  return reported({
    isRefused: (request, { countMessages }) => countMessages(request.messages) + outputTokens(request) > window,
    refusal: (request, { countMessages }) =>
      refusalOf({ prompt: countMessages(request.messages), output: outputTokens(request), window }),
  })
}

/** How servers say that prompt and answer together exceed the window. */
export const totalLimits: Record<string, (window: number) => Rule> = {
  OpenAI: (window) =>
    totalLimit(window, ({ prompt, output }) =>
      refusal(
        `This model's maximum context length is ${window} tokens. However, you requested ${prompt + output} tokens (${prompt} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
        { param: 'messages', code: 'context_length_exceeded' },
      ),
    ),
  SGLang: (window) =>
    totalLimit(window, ({ prompt, output }) =>
      asBody(400, {
        object: 'error',
        message: `Requested token count exceeds the model's maximum context length of ${window} tokens. You requested a total of ${prompt + output} tokens: ${prompt} tokens from the input messages and ${output} tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.`,
        ...{ type: 'BadRequestError', param: null, code: 400 },
      }),
    ),
  TGI: (window) =>
    totalLimit(window, ({ prompt, output }) =>
      asBody(422, {
        error: `Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${window}. Given: ${prompt} \`inputs\` tokens and ${output} \`max_new_tokens\``,
        error_type: 'validation',
      }),
    ),
}

function promptLimit(window: number, refusalOf: (tokens: number) => Refusal): Rule {
  return reported({
    isRefused: ({ messages }, { countMessages }) => countMessages(messages) > window,
    refusal: ({ messages }, { countMessages }) => refusalOf(countMessages(messages)),
  })
}

/** How servers say that a prompt is longer than the window. */
export const promptLimits: Record<string, (window: number) => Rule> = {
  Anthropic: (window) =>
    promptLimit(window, (tokens) => refusal(`prompt is too long: ${tokens} tokens > ${window} maximum`)),
  Gemini: (window) =>
    promptLimit(window, (tokens) =>
      gemini(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`),
    ),
  Mistral: (window) =>
    promptLimit(window, (tokens) =>
      asBody(400, {
        object: 'error',
        message: `Prompt contains ${tokens} tokens and 0 draft tokens, too large for model with ${window} maximum context length`,
        ...{ type: 'invalid_request_prompt', param: null, code: '3051' },
      }),
    ),
  'llama.cpp': (window) =>
    promptLimit(window, (tokens) =>
      asBody(400, {
        error: {
          ...{ code: 400, type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: window },
          message: `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
        },
      }),
    ),
  'a server of models by their maximum sequence': (window) =>
    promptLimit(window, (tokens) =>
      refusal(`length of prompt_tokens (${tokens}) must be less than max_seq_len (${window}).`),
    ),
}

function gemini(message: string): Refusal {
  return asBody(400, [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }])
}

const always = (told: Refusal) => reported({ isRefused: () => true, refusal: () => told })

/** How servers refuse a prompt for its content. */
export const flags: Record<string, Rule> = {
  Azure: always(
    asBody(400, {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        ...{ type: null, param: 'prompt', code: 'content_filter', status: 400 },
        innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: {} },
      },
    }),
  ),
  'LiteLLM in front of Azure': always(
    refusal(
      "litellm.BadRequestError: litellm.ContentPolicyViolationError: AzureException - The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      { code: '400' },
    ),
  ),
  OpenRouter: always(
    asBody(403, {
      error: {
        code: 403,
        message:
          'This model requires moderation on Example. Your input was flagged for "violence". No credits were charged.',
        metadata: { reasons: ['violence'], flagged_input: 'x', provider_name: 'Example' },
      },
    }),
  ),
  DeepSeek: always(refusal('Content Exists Risk', { code: INVALID })),
  'Alibaba Cloud': always(
    refusal('Input data may contain inappropriate content.', {
      type: 'data_inspection_failed',
      code: 'data_inspection_failed',
    }),
  ),
}
