import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { ChatCompletion } from 'openai/resources/chat/completions'
import type { CompletionUsage } from 'openai/resources/completions'
import { piece, type Said, startStream, stream, USAGE } from './fakeStream.ts'
import { listModels, type ModelList } from './modelServers/listModels.ts'
import { sendRefusal } from './modelServers/refuse.ts'
import type { Refusal, Rule } from './modelServers/rule.ts'
import { schemaIn } from './modelServers/schemaIn.ts'
import type { Accepted, Exchange } from './modelServers/server.ts'

/** A file in a prompt, with its line numbers. */
export interface ShownFile {
  path: string
  new: number[]
  old: number[]
}

export interface ModelRequest {
  model: string
  messages: { role: string; content: string }[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  response_format?: { type: string; json_schema?: { name?: string; strict?: boolean; schema: Schema } }
}

export interface Schema {
  properties: Record<string, unknown>
}

/** A draft in the form of the answer schema, or the part of it that the schema asks for. */
export interface FakeDraft {
  aiGeneratedTitle?: string
  lead?: FakeClaim
  impact?: FakeClaim
  reasons?: FakeClaim[]
  mainChanges: FakeClaim[]
  notablePoints: FakeClaim[]
  mismatches?: FakeClaim[]
  [part: string]: unknown
}
type FakeClaim = Record<string, unknown>

/** Replaces the good response to one request. */
export type Behaviour = (request: ModelRequest, response: ServerResponse, good: FakeDraft) => unknown

interface Options {
  /** The limits and peculiarities of the server. Without rules, it accepts everything. */
  rules?: Rule[]
  models?: ModelList
}

export type FakeModel = Awaited<ReturnType<typeof startFakeModel>>

const SENTENCES: Record<string, string> = {
  Japanese: 'この変更は、利用者にとって分かりやすい動作にするために処理の流れを見直したものである。',
  English: 'This change reworks how the request is handled so that people who use it are no longer surprised.',
  French: 'Cette modification revoit la façon dont la requête est traitée afin que personne ne soit surpris.',
  Indonesian: 'Perubahan ini meninjau ulang cara permintaan ditangani agar pengguna tidak lagi merasa bingung.',
}

/** For each response: the request, which says whether to stream, and how the rules of the server change the answer. */
const requestOf = new WeakMap<ServerResponse, { request: ModelRequest; toReply: Accepted['toReply'] }>()

/** A model server over HTTP that cites the numbered lines of the prompt and misbehaves on demand. */
export async function startFakeModel({ rules = [], models }: Options = {}) {
  const requests: ModelRequest[] = []
  const behaviours: Behaviour[] = []
  let always: Behaviour | undefined
  let hasFigures = false
  const draftOf = (request: ModelRequest) => goodDraft(request, hasFigures)
  // Imported only for rules, because it loads a tokenizer, which most tests do not need.
  const serverOf = async (kept: Rule[]) => (await import('./modelServers/server.ts')).createModelServer(kept, draftOf)
  let ruled = rules.length > 0 ? await serverOf(rules) : undefined
  const receive = (request: ModelRequest): { refusal: Refusal } | Accepted =>
    ruled?.receive(request) ?? { good: draftOf(request), toReply: (said) => said }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return listModels(response, models)
    const modelRequest: ModelRequest = JSON.parse(await bodyOf(request))
    requests.push(modelRequest)
    const received = receive(modelRequest)
    if ('refusal' in received) return sendRefusal(response, received.refusal, modelRequest)
    const { good, prose, toReply } = received
    requestOf.set(response, { request: modelRequest, toReply })
    const behaviour = behaviours.shift() ?? always
    if (behaviour) return behaviour(modelRequest, response, good)
    return answer(response, prose ?? good)
  })
  // Longer than any test, so that only the client closes connections.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    url,
    env: { OPENAI_API_KEY: 'sk-fake-0123456789', OPENAI_BASE_URL: url, OPENAI_MODEL: 'fake-model' },
    requests,
    /** How the server handled each request since its rules were set; empty without rules. */
    get exchanges(): Exchange[] {
      return ruled?.exchanges ?? []
    },
    /** Replaces the rules of the server. */
    async keepTo(kept: Rule[]) {
      ruled = await serverOf(kept)
    },
    /** Sets behaviors for the next requests, one for each request. */
    next: (...added: Behaviour[]) => void behaviours.push(...added),
    /**
     * Adds a code figure to each section of all later drafts. Off by default: most tests need no figures, and the first
     * one in a thread takes half a second.
     */
    addFigures() {
      hasFigures = true
    },
    always(behaviour: Behaviour | undefined) {
      always = behaviour
      behaviours.length = 0
    },
    /** The requests made during `work`. */
    async during(work: () => Promise<unknown>): Promise<ModelRequest[]> {
      const before = requests.length
      await work()
      return requests.slice(before)
    },
    connections: () => promisify<number>((done) => server.getConnections(done))(),
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

export function promptOf({ messages }: ModelRequest): string {
  return messages.map(({ content }) => content).join('\n')
}

/** The files in a prompt with the numbers of their changed lines, or without numbers if the prompt shows no lines. */
export function shownFiles(request: ModelRequest): ShownFile[] {
  const files: ShownFile[] = []
  for (const line of promptOf(request).split('\n')) {
    const heading = /^## File: (.+) \(\w+\)$/.exec(line)
    if (heading) files.push({ path: heading[1] ?? '', new: [], old: [] })
    const numbered = /^ *(\d+) +([+-])/.exec(line)
    if (numbered) files.at(-1)?.[numbered[2] === '+' ? 'new' : 'old'].push(Number(numbered[1]))
  }
  return files
}

/** The first line of prose in the prompt that an article may quote, if there is one. */
function quotable(request: ModelRequest): string | undefined {
  const prose = promptOf(request).split(/\n# (?:Diff|Notes)/)[0] ?? ''
  return /^> (.{20,200})/m.exec(prose)?.[1]
}

/** A valid answer. A translation has a sentence for every key; a repair has only the parts that the schema names. */
export function goodDraft(request: ModelRequest, hasFigures: boolean): FakeDraft {
  const { properties = {} } = request.response_format?.json_schema?.schema ?? schemaIn(request.messages) ?? {}
  if ('first' in properties && 'last' in properties) return markedWords(request, Object.keys(properties))
  const language = /(?:Write in|into) (\w+)/.exec(promptOf(request))?.[1] ?? 'English'
  const text = SENTENCES[language] ?? SENTENCES['English'] ?? ''
  if ('title' in properties) {
    const keys = Object.keys(properties).map((key) => [key, key === 'title' ? text.slice(0, 60) : text])
    return Object.fromEntries(keys)
  }
  const whole = wholeDraft(request, text, hasFigures)
  const wanted = Object.keys(properties)
  // Without a schema, the request is for a whole draft.
  const isWanted = ([part]: [string, unknown]) => (wanted.length === 0 ? part !== 'verdicts' : wanted.includes(part))
  return Object.fromEntries(Object.entries(whole).filter(isWanted)) as FakeDraft
}

/** Returns the words that a prompt marks, as far as the model saw them. */
function markedWords({ messages }: ModelRequest, names: string[]): FakeDraft {
  const prompt = messages.map(({ content }) => content).join('\n')
  const word = (name: string) => new RegExp(`^${name} word:[ "'\`]*([^\\s"'\`,.;]+)`, 'im').exec(prompt)?.[1] ?? ''
  const words: object = Object.fromEntries(names.map((name) => [name, word(name)]))
  return words as FakeDraft
}

function wholeDraft(request: ModelRequest, text: string, hasFigures: boolean): FakeDraft & { verdicts: unknown } {
  const files = shownFiles(request)
  const withLines = files.filter((file) => file.new.length + file.old.length > 0)
  const citable = withLines.length > 0 ? withLines : files
  const evidence = citable.slice(0, 1).map(citationOf)
  const quote = quotable(request)
  const sources = quote ? [{ kind: 'description', quote }] : []
  const isNotes =
    'weight' in
    ((request.response_format?.json_schema?.schema as Deep)?.properties?.mainChanges?.items?.properties ?? {})
  const weighted = isNotes ? { weight: 3 } : { basis: 'diff' }
  return {
    aiGeneratedTitle: text.slice(0, 60),
    lead: { text, basis: 'diff', evidence },
    impact: { affected: text, compatibility: 'behaviour', reason: text, action: null, since: null, evidence: [] },
    reasons: [{ text, basis: quote ? 'stated' : 'diff', sources, evidence: quote ? [] : evidence }],
    mainChanges: citable.slice(0, 3).map((file) => ({
      ...(!isNotes && {
        heading: text.slice(0, 30),
        figures: hasFigures ? [codeFigure(file, text)].filter(({ before, after }) => before || after) : [],
      }),
      ...{ fileName: file.path, changeTypes: ['FIX'], description: text, ...weighted },
      evidence: [citationOf(file)],
    })),
    diagram: null,
    notablePoints: citable.slice(0, 1).map((file) => ({
      ...(!isNotes && { importance: 1 }),
      ...{ categories: ['RISK'], point: text, ...weighted },
      evidence: [citationOf(file)],
    })),
    mismatches: [],
    terms: [],
    verdicts: [],
  }
}

type Deep = { properties?: { mainChanges?: { items?: { properties?: object } } } } | undefined

function codeFigure({ path, old, new: added }: ShownFile, caption: string) {
  const side = (lines: number[]) =>
    lines[0] === undefined ? null : { path, ranges: [{ startLine: lines[0], endLine: lines[0] }] }
  const [before, after] = [side(old), side(added)]
  return { kind: 'code', before, after, caption, example: null, table: null }
}

function citationOf(file: ShownFile) {
  const side = file.new.length > 0 ? 'new' : 'old'
  const line = file[side][0] ?? 0
  return { path: file.path, side: line === 0 ? 'new' : side, startLine: line, endLine: line }
}

/** Sends an answer, as a stream if the request asked for one. */
export function answer(response: ServerResponse, said: FakeDraft | string | Said): unknown {
  const answered: Said =
    typeof said === 'string' ? { content: said } : isSaid(said) ? said : { content: JSON.stringify(said) }
  const { request, toReply } = requestOf.get(response) ?? {}
  const given = toReply?.(answered) ?? answered
  const reply = given.usage === undefined && request ? { ...given, usage: usageOf(request) } : given
  return request?.stream
    ? stream(response, reply, { includeUsage: request.stream_options?.include_usage === true })
    : answerPlainly(response, reply)
}

/** Estimates the tokens of the prompt, a little too high: a lower or a round number would look like a cut prompt. */
function usageOf(request: ModelRequest): CompletionUsage {
  const prompt = promptOf(request)
  const dense = prompt.match(/[\u2e80-\uffff]/g)?.length ?? 0
  const tokens = Math.ceil((prompt.length - dense) / 3 + dense * 1.2)
  const prompt_tokens = [tokens, tokens + 20, tokens + 40].find((count) => !isNearlyRound(count)) ?? tokens
  return { ...USAGE, prompt_tokens, total_tokens: prompt_tokens + USAGE.completion_tokens }
}

function isNearlyRound(count: number): boolean {
  return [512, 1000].some((size) => Math.abs(count - size * Math.round(count / size)) < 10)
}

function isSaid(said: FakeDraft | Said): said is Said {
  return 'content' in said
}

/** Sends one JSON document, like a server that cannot stream. */
export function answerPlainly(response: ServerResponse, said: Said): unknown {
  const { content = null, refusal = null, finish = 'stop', field, usage = USAGE } = said
  const text = field ? { content: null, [field]: content } : { content }
  const completion: ChatCompletion = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'fake-model',
    choices: [
      {
        index: 0,
        finish_reason: finish as ChatCompletion.Choice['finish_reason'],
        logprobs: null,
        message: { role: 'assistant', ...text, refusal },
      },
    ],
    ...(usage && { usage }),
  }
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion))
}

/** A behavior that holds a request until `release` is called. */
export function holding() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const held: Behaviour = async (_, response, good) => {
    await released
    answer(response, good)
  }
  return { held, release, released }
}

export const behaves = {
  status: (status: number, headers: Record<string, string> = {}): Behaviour => {
    return (_, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error: { message: 'sk-fake-0123456789 was refused', type: 'error' } }))
  },
  hang: (() => {}) as Behaviour,
  hangsMidway: ((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')) as Behaviour,
  breaksOff: ((_, response) => startStream(response).end(piece({ content: '{"aiGenerated' }))) as Behaviour,
  reset: ((_, response) => response.socket?.destroy()) as Behaviour,
  says:
    (content: string): Behaviour =>
    (_, response) =>
      answer(response, content),
  slow: (milliseconds: number): Behaviour => {
    return (_, response, good) => setTimeout(() => answer(response, good), milliseconds)
  },
  /** The good draft with a change. */
  changed: (change: (good: FakeDraft) => FakeDraft): Behaviour => {
    return (_, response, good) => answer(response, change(good))
  },
}
