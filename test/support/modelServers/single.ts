import { outputTokensOf, type Refusal, type Rule, refusal, type ServerRequest } from './rule.ts'
import { asVllm } from './vllm.ts'

/** A parameter that some servers refuse; `strict` is part of the response format. */
export type Parameter =
  | 'store'
  | 'service_tier'
  | 'reasoning_effort'
  | 'stream_options'
  | 'stream'
  | 'response_format'
  | 'strict'
  | 'prompt_cache_key'
  | 'max_completion_tokens'

const STRICT_PATH = ['response_format', 'json_schema', 'strict']
const pathOf = (name: Parameter) => (name === 'strict' ? STRICT_PATH : [name])

/** How servers refuse a parameter by its name. */
export const wordings = {
  openAi: (name) => refusal(`Unrecognized request argument supplied: ${name}`),
  openAiNamed: (name) =>
    refusal(`Unknown parameter: '${pathOf(name).join('.')}'.`, {
      param: pathOf(name).join('.'),
      code: 'unknown_parameter',
    }),
  unsupported: (name) =>
    refusal(`Unsupported parameter: '${name}' is not supported with this model.`, {
      param: name,
      code: 'unsupported_parameter',
    }),
  vllm: (name) => {
    const location = ['body', ...pathOf(name)].map((step) => `'${step}'`).join(', ')
    return asVllm(`[{'type': 'extra_forbidden', 'loc': (${location}), 'msg': 'Extra inputs are not permitted'}]`)
  },
  fastApi: (name) => ({
    status: 422,
    body: {
      detail: [{ type: 'extra_forbidden', loc: ['body', ...pathOf(name)], msg: 'Extra inputs are not permitted' }],
    },
  }),
  plain: (name) => refusal(`${name} is not supported`, { code: 400, type: 'BadRequest' }),
  text: (name) => ({ status: 400, body: { error: `json: unknown field "${name}"` } }),
} satisfies Record<string, (name: Parameter) => Refusal>
export type Wording = keyof typeof wordings

/** Refuses parameters, one at a time. */
export function refuses(names: Parameter | Parameter[], wording: Wording = 'openAi'): Rule {
  return {
    refuse(request) {
      const refused = [names].flat().find((name) => isSent(request, name))
      return refused && wordings[wording](refused)
    },
  }
}

function isSent(request: ServerRequest, name: Parameter): boolean {
  const value = pathOf(name).reduce((node: unknown, step) => Object(node)[step], request)
  return name === 'stream' ? value === true : value !== undefined
}

/** Refuses requests for more output tokens than the model can write. Some servers do not name that limit. */
export function refusesValue(maxTokens: number, { namesLimit = true } = {}): Rule {
  return {
    refuse(request) {
      const tokens = outputTokensOf(request)
      if (tokens === Number.POSITIVE_INFINITY || tokens <= maxTokens) return undefined
      const param = request.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens'
      if (!namesLimit) return refusal(`Invalid value for '${param}'.`, { param, code: 'invalid_value' })
      return refusal(
        `max_tokens is too large: ${tokens}. This model supports at most ${maxTokens} completion tokens, whereas you provided ${tokens}.`,
        { param, code: 'invalid_value' },
      )
    },
  }
}

export function noUsage(): Rule {
  return { reply: (reply) => ({ ...reply, usage: null }) }
}

const FLAGS = {
  invalid_prompt: () =>
    refusal('Invalid prompt: your prompt was flagged as potentially violating our usage policy.', {
      code: 'invalid_prompt',
    }),
  content_filter: () =>
    refusal("The response was filtered due to the prompt triggering the server's content management policy.", {
      code: 'content_filter',
      param: 'prompt',
      type: null,
    }),
}

/** Refuses every prompt because of its content. */
export function flagged(code: keyof typeof FLAGS): Rule {
  return { refuse: () => FLAGS[code]() }
}

/** Refuses prompts that are longer than its window, as OpenAI words it. */
export function promptTooLong(window: number): Rule {
  return {
    refuse(request, tokenizer) {
      const tokens = tokenizer.countMessages(request.messages)
      if (tokens <= window) return undefined
      return refusal(
        `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
        { param: 'messages', code: 'context_length_exceeded' },
      )
    },
  }
}

/** Refuses requests without saying why; all of them, or those that `isRefused` picks. */
export function unnamed(isRefused: (request: ServerRequest) => boolean = () => true): Rule {
  return { refuse: (request) => (isRefused(request) ? refusal('Bad request.') : undefined) }
}

const ENOUGH_TOKENS = 32_000
const LITTLE_EFFORT = ['none', 'minimal', 'low']

/** Spends all output tokens on reasoning, unless the request allows many or asks for a low effort. */
export function spends(): Rule {
  return {
    reply(reply, { request }) {
      const room = outputTokensOf(request)
      if (room >= ENOUGH_TOKENS || LITTLE_EFFORT.includes(request.reasoning_effort ?? '')) return reply
      const usage = reply.usage && {
        ...reply.usage,
        completion_tokens: room,
        total_tokens: reply.usage.prompt_tokens + room,
        completion_tokens_details: { reasoning_tokens: room },
      }
      return { ...reply, content: '', finish: 'length', usage }
    },
  }
}

/** Refuses requests in the cheap tier for lack of capacity. */
export function flexBusy(): Rule {
  return {
    refuse: ({ service_tier: tier }) =>
      tier === 'flex'
        ? refusal(
            'Resource unavailable. Please try again later.',
            { code: 'resource_unavailable', type: 'resource_unavailable' },
            429,
          )
        : undefined,
  }
}

/** Counts tokens with another vocabulary than o200k, which needs `factor` times as many. */
export function tokenizer(factor: number): Rule {
  return { tokenFactor: factor }
}
