import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ModelConfig } from '../../src/config/config.ts'
import type { Message } from '../../src/model/call.ts'
import { readAnswer } from '../../src/model/readAnswer.ts'
import { openTransport } from '../../src/model/transport.ts'
import { MESSAGE_TOKENS } from '../../src/writer/prompts/prompts.ts'
import { type Count, tokenCounter } from '../../src/writer/reading/tokens.ts'

/** A request to the model and its answer. Headers and errors are left out, because they may hold the key. */
export interface RecordedCall {
  model: string
  messages: Message[]
  isRepair: boolean
  /** The prompt as counted here. */
  promptTokens: number
  /** 0 if the server did not respond. */
  status: number
  /** Null if there was no complete answer. */
  answer: string | null
  inputTokens: number
  outputTokens: number
  seconds: number
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>

const OPENAI_URL = 'https://api.openai.com/v1'
const PATH = '/v1'
/** The service has its own limits; this one only bounds what is decoded here. */
const MAX_ANSWER_TOKENS = 1_000_000
const PASSED_HEADERS = ['content-type', 'retry-after', 'retry-after-ms']

/** A proxy on loopback between the service and the model server, which records every call. */
export async function startRecorder({ apiKey, baseUrl }: Pick<ModelConfig, 'apiKey' | 'baseUrl'>) {
  const upstream = (baseUrl?.href ?? OPENAI_URL).replace(/\/$/, '')
  // Only the service knows it, so that no other local process can use the key.
  const token = `eval-${randomBytes(16).toString('hex')}`
  const transport = openTransport()
  const count = await tokenCounter()
  let calls: Promise<RecordedCall>[] = []

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { method, url = '' } = request
    if (method !== 'POST' || request.headers.authorization !== `Bearer ${token}` || !url.startsWith(`${PATH}/`))
      return response.writeHead(404).end()
    const sent = await text(request)
    return calls.push(pass(url.slice(PATH.length), sent, startCall(sent, count), response))
  }

  async function pass(path: string, sent: string, call: RecordedCall, response: ServerResponse): Promise<RecordedCall> {
    const started = performance.now()
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const chunks: Uint8Array[] = []
    try {
      const received = await transport.fetch(upstream + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey.reveal()}` },
        body: sent,
        signal: gone.signal,
      })
      call.status = received.status
      await copy(received, response, chunks)
    } catch {
      // The service sees the broken connection and reports it. Or it has closed it itself, after the last of the text.
      response.destroy()
    }
    if (call.status === 200) Object.assign(call, await answerIn(chunks, call, count))
    return { ...call, seconds: Math.round(performance.now() - started) / 1000 }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    token,
    /** The calls since the last time. */
    async take(): Promise<RecordedCall[]> {
      const taken = calls
      calls = []
      return Promise.all(taken)
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await transport.close()
    },
  }
}

function startCall(sent: string, count: Count): RecordedCall {
  const { model, messages } = JSON.parse(sent) as Pick<RecordedCall, 'model' | 'messages'>
  return {
    model,
    messages,
    isRepair: messages.some(({ role }) => role === 'assistant'),
    promptTokens: messages.reduce((tokens, { content }) => tokens + count(content) + MESSAGE_TOKENS, 0),
    status: 0,
    answer: null,
    inputTokens: 0,
    outputTokens: 0,
    seconds: 0,
  }
}

async function copy(received: Response, response: ServerResponse, chunks: Uint8Array[]): Promise<void> {
  const passed = [...received.headers].filter(([name]) => PASSED_HEADERS.includes(name))
  response.writeHead(received.status, Object.fromEntries(passed))
  for await (const chunk of received.body ?? []) {
    chunks.push(chunk)
    response.write(chunk)
  }
  response.end()
}

/** Nothing if the answer is incomplete. */
async function answerIn(chunks: Uint8Array[], { promptTokens }: RecordedCall, count: Count) {
  const body = new Response(new Uint8Array(Buffer.concat(chunks)))
  const answer = await readAnswer(body, { maxOutputTokens: MAX_ANSWER_TOKENS }).catch(() => undefined)
  if (!answer) return {}
  // Not every server reports token counts.
  return {
    answer: answer.content || (answer.refusal ?? ''),
    inputTokens: answer.inputTokens || promptTokens,
    outputTokens: answer.outputTokens || count(answer.content),
  }
}
