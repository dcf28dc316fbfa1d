import { setTimeout as sleep } from 'node:timers/promises'
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export interface Work {
  /** With the official client, or the same calls as requests of the API. */
  via: 'mcp' | 'api'
  /** Whether every second call is a search. */
  searches: boolean
  /** Of each client between two calls. */
  pauseMs: number
}

export type Order = Work | 'stop'

export interface Done {
  calls: number
  limited: number
  /** CPU time of all clients together. */
  cpuMicroseconds: number
}

export interface Start {
  url: string
  tokens: string[]
  articleIds: string[]
  queries: string[]
}

/** Of calls that were refused because too many of one network ran or waited. */
const REFUSED = { isError: true, structuredContent: { error: { code: 'SERVICE_UNAVAILABLE' } } }
const LIMITED = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE']

const { url, tokens, articleIds, queries }: Start = JSON.parse(process.argv[2] ?? '')
const clients: Client[] = []
// One after the other, because the first messages to a service take long.
for (const [n, token] of tokens.entries()) clients.push(await connect(token, n))
const done = { calls: 0, limited: 0 }
let cpuBefore = process.cpuUsage()
let order: Order = 'stop'
let running: Promise<unknown> = Promise.resolve()

process.on('disconnect', () => process.exit())
process.on('message', async (next: Order) => {
  order = next
  if (next !== 'stop') {
    Object.assign(done, { calls: 0, limited: 0 })
    cpuBefore = process.cpuUsage()
    running = Promise.all(clients.map(work))
  }
  if (next === 'stop') await running
  const { user, system } = process.cpuUsage(cpuBefore)
  process.send?.({ ...done, cpuMicroseconds: user + system } satisfies Done)
})
process.send?.({})

/** Half of the clients use each version of the protocol. */
async function connect(token: string, n: number): Promise<Client> {
  const mode = n % 2 === 0 ? ('legacy' as const) : { pin: '2026-07-28' }
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  return client
}

async function work(client: Client, n: number): Promise<void> {
  for (let turn = n; order !== 'stop'; turn++) {
    const { via, searches, pauseMs } = order
    // Not all at the same moment.
    if (pauseMs > 0) await sleep(pauseMs * (turn === n ? n / clients.length : 1))
    if (typeof order === 'string') return
    const id = articleIds[turn % articleIds.length] ?? ''
    const query = queries[turn % queries.length] ?? ''
    const isRead = !searches || turn % 2 === 0
    const code = via === 'mcp' ? await callTool(client, isRead, id, query) : await callApi(n, isRead, id, query)
    if (code !== undefined && !LIMITED.includes(code)) throw new Error(`A call failed: ${code}.`)
    done.calls += 1
    if (code) done.limited += 1
  }
}

/** The code of the error, if any. */
async function callTool(client: Client, isRead: boolean, articleId: string, query: string) {
  const call = isRead
    ? { name: 'read_article', arguments: { articleId } }
    : { name: 'search_articles', arguments: { query } }
  const { isError, structuredContent } = await client.callTool(call).catch((error) => {
    if (error instanceof SdkHttpError && error.status === 503) return REFUSED
    throw error
  })
  return isError ? (structuredContent as { error: { code: string } }).error.code : undefined
}

async function callApi(n: number, isRead: boolean, articleId: string, query: string) {
  const path = isRead ? `/articles/${articleId}` : `/articles?q=${encodeURIComponent(query)}`
  const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${tokens[n]}` } })
  const body = (await response.json()) as { error?: { code: string } }
  return body.error?.code
}
