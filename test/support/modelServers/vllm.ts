import { outputTokensOf, type Refusal, type Rule } from './rule.ts'

/** vLLM with a reasoning parser that takes the whole answer for reasoning, and a window that also holds the answer. */
export function vllm({ window = 131_072, forbidsUnknown = false } = {}): Rule[] {
  return [
    ...(forbidsUnknown ? [{ refuse: refuseUnknown }] : []),
    {
      refuse(request, tokenizer) {
        const prompt = tokenizer.countMessages(request.messages)
        if (prompt >= window)
          return asVllm(
            `This model's maximum context length is ${window} tokens. However, your request has ${prompt} input tokens. Please reduce the length of the input messages.`,
          )
        const room = outputTokensOf(request)
        if (room === Number.POSITIVE_INFINITY || prompt + room <= window) return undefined
        return asVllm(
          `'max_tokens' or 'max_completion_tokens' is too large: ${room}. This model's maximum context length is ${window} tokens and your request has ${prompt} input tokens (${room} > ${window} - ${prompt}).`,
        )
      },
    },
    inReasoningField(),
  ]
}

const VLLM_PARAMETERS = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'response_format', 'max_tokens', 'max_completion_tokens'],
  ...['temperature', 'top_p', 'n', 'seed', 'stop', 'user', 'reasoning_effort'],
])

function refuseUnknown(request: object): Refusal | undefined {
  const unknown = Object.keys(request).filter((name) => !VLLM_PARAMETERS.has(name))
  if (unknown.length === 0) return undefined
  const faults = unknown.map(
    (name) => `{'type': 'extra_forbidden', 'loc': ('body', '${name}'), 'msg': 'Extra inputs are not permitted'}`,
  )
  return asVllm(`[${faults.join(', ')}]`)
}

export function asVllm(message: string): Refusal {
  return { status: 400, body: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 } }
}

/** Sends the answer in the field for reasoning; `content` is null. */
export function inReasoningField(field: 'reasoning_content' | 'reasoning' = 'reasoning_content'): Rule {
  return { reply: (reply) => ({ ...reply, field }) }
}
