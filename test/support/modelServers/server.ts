import type { FakeDraft, ModelRequest } from '../fakeModel.ts'
import type { Said } from '../fakeStream.ts'
import { fitted } from './fitted.ts'
import { type Reading, type Refusal, type Reply, type Rule, type ServerRequest, strictSchemaOf } from './rule.ts'
import { schemaIn } from './schemaIn.ts'
import { createTokenizer } from './tokenizer.ts'

/** What happened to one request. */
export interface Exchange {
  request: ServerRequest
  /** The message of the refusal. */
  refused?: string
  /** Whether the model saw only a part of the prompt. */
  isCut: boolean
  /** The token counts that the server reports. */
  usage?: Reply['usage']
}

/** A request that was accepted: what a good model answers, and how the server sends any answer. */
export interface Accepted {
  good: FakeDraft
  /** The answer of the model in place of `good` if neither request nor prompt has a schema. */
  prose?: string
  toReply(said: Said): Said
}

const PROSE = 'この変更は、利用者にとって分かりやすい動作にするためのものです。'

/** A model server that follows all the rules. `draftOf` returns the answer of a good model to a request. */
export function createModelServer(rules: Rule[], draftOf: (request: ModelRequest) => FakeDraft) {
  const tokenizer = createTokenizer(rules.reduce((factor, rule) => factor * (rule.tokenFactor ?? 1), 1))
  const exchanges: Exchange[] = []

  function refusalOf(request: ServerRequest): Refusal | undefined {
    for (const rule of rules) {
      const refused = rule.refuse?.(request, tokenizer)
      if (refused) return rules.reduce((told, { report }) => report?.(told) ?? told, refused)
    }
    return undefined
  }

  function readingOf(request: ServerRequest): Reading {
    const { messages, response_format: format } = request
    const isJson = format !== undefined && format.type !== 'text'
    const whole: Reading = { request, messages, schema: strictSchemaOf(request), isJson, isCut: false }
    const reading = rules.reduce((read, rule) => rule.read?.(read, tokenizer) ?? read, whole)
    return { ...reading, schema: reading.schema ?? schemaIn(reading.messages) }
  }

  function replyTo(said: Said, reading: Reading): Reply {
    const content = said.content ?? null
    const promptTokens = tokenizer.countMessages(reading.messages)
    const completionTokens = tokenizer.count(content ?? '')
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    }
    const plain: Reply = { ...said, content, usage }
    return rules.reduce((reply, rule) => rule.reply?.(reply, reading, tokenizer) ?? reply, plain)
  }

  return {
    exchanges,
    receive(request: ServerRequest): { refusal: Refusal } | Accepted {
      const refusal = refusalOf(request)
      if (refusal) {
        exchanges.push({ request, refused: messageOf(refusal), isCut: false })
        return { refusal }
      }
      const reading = readingOf(request)
      const exchange: Exchange = { request, isCut: reading.isCut }
      exchanges.push(exchange)
      const toReply = (said: Said) => {
        const reply = replyTo(said, reading)
        exchange.usage = reply.usage
        return reply
      }
      return { ...answerTo(reading, draftOf), toReply }
    },
  }
}

/** The answer of the model: by the schema of the request or of the prompt, or prose if there is none. */
function answerTo({ request, messages, schema, isJson }: Reading, draftOf: (request: ModelRequest) => FakeDraft) {
  if (!schema) {
    const prose = isJson ? JSON.stringify({ answer: PROSE }) : PROSE
    return { good: draftOf({ ...request, messages }), prose }
  }
  const json_schema = { name: 'answer', schema: { ...schema, properties: schema.properties ?? {} } }
  const draft = draftOf({ ...request, messages, response_format: { type: 'json_schema', json_schema } })
  return { good: fitted(draft, schema) as FakeDraft }
}

function messageOf({ body }: Refusal): string {
  const { message } = Object(body['error'])
  return typeof message === 'string' ? message : JSON.stringify(body)
}
