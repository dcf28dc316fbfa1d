import { cutsPrompts } from './ollama.ts'
import type { Reply, Rule } from './rule.ts'

interface LlamaCppOptions {
  ignoresFormat?: boolean
  thinks?: boolean
  fences?: boolean
  window?: number
  /** What happens to a prompt that is longer than the window. */
  overflow?: 'refused' | 'cut'
}

/** llama.cpp, whose builds differ in all of these options. No build sends token counts in a stream. */
export function llamaCpp({
  ignoresFormat = true,
  thinks = true,
  fences = true,
  window = 131_072,
  overflow = 'refused',
}: LlamaCppOptions = {}): Rule[] {
  return [
    overflow === 'cut' ? cutsPrompts({ window }) : refusesOverflow(window),
    ...(ignoresFormat ? [ignoresFormats()] : []),
    ...(fences ? [fencesAnswers()] : []),
    ...(thinks ? [thinksAloud()] : []),
    { reply: (reply, { request }) => (request.stream ? { ...reply, usage: null } : reply) },
  ]
}

function refusesOverflow(window: number): Rule {
  return {
    refuse(request, tokenizer) {
      const tokens = tokenizer.countMessages(request.messages)
      if (tokens <= window) return undefined
      const message = 'the request exceeds the available context size, try increasing it'
      const type = 'exceed_context_size_error'
      return {
        status: 400,
        body: { error: { code: 400, message, type, n_prompt_tokens: tokens, n_ctx: window } },
      }
    },
  }
}

/** Accepts response_format and does not apply it, so that only a schema in the prompt has an effect. */
export function ignoresFormats(): Rule {
  return { read: (reading) => ({ ...reading, schema: undefined, isJson: false }) }
}

export function fencesAnswers(): Rule {
  return { reply: changingText((text) => `\`\`\`json\n${text}\n\`\`\``) }
}

/** Sends the reasoning, which may contain JSON, at the beginning of the answer. */
export function thinksAloud(): Rule {
  const reasoning = '<think>\nThe answer must be JSON, perhaps {"lead": "…"}.\n</think>\n\n'
  return { reply: changingText((text) => `${reasoning}${text}`) }
}

const changingText =
  (change: (text: string) => string) =>
  (reply: Reply): Reply => ({ ...reply, content: reply.content && change(reply.content) })
