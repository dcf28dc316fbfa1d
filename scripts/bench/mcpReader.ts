import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { serveAsWorker } from './worker.ts'

const READS = 5
const PAUSE_MS = 1000

await serveAsWorker({}, async ({ url, tokens, articleIds }) => {
  const clients: Client[] = []
  // One after the other, because the first messages to a service take long.
  for (const [n, token] of tokens.entries()) clients.push(await connect(url, token, n))
  return async () => {
    await Promise.all(
      clients.map(async (client, n) => {
        // Spreads the clients over the pause, so that they do not all read at the same moment.
        await sleep((PAUSE_MS * n) / clients.length)
        await read(client, n, articleIds)
      }),
    )
    return READS * clients.length
  }
})

/** Connects a client. Every second client uses the older version of the protocol. */
async function connect(url: string, token: string, n: number): Promise<Client> {
  const mode = n % 2 === 0 ? ('legacy' as const) : { pin: '2026-07-28' }
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  return client
}

async function read(client: Client, n: number, articleIds: string[]): Promise<void> {
  for (let turn = 0; turn < READS; turn++) {
    const articleId = articleIds[(n + turn) % articleIds.length] ?? ''
    const { isError, content } = await client.callTool({ name: 'read_article', arguments: { articleId } })
    if (isError) throw new Error(`A read failed: ${JSON.stringify(content)}`)
    await sleep(PAUSE_MS)
  }
}
