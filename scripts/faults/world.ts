import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { findPostgres, startCluster } from '../../test/support/cluster.ts'
import { startFakeHost } from '../../test/support/fakeHost.ts'
import { openLink } from '../../test/support/link.ts'
import { startProcess } from '../../test/support/process.ts'
import { openFront } from './front.ts'

const USERS = 40
const ARTICLES = 12
/** The others' articles are asked for under load. */
const PULL_REQUESTS = 5000
const PATCH = '@@ -1,1 +1,2 @@\n const a = 1\n+const b = 2'

export type World = Awaited<ReturnType<typeof createWorld>>
type Process = Awaited<ReturnType<typeof startProcess>>

export interface Text {
  articleId: string
  language: string
}

/** Postgres of our own, nodes as processes, what stands before them, and people with something to like. */
export async function createWorld(count: number, env: Record<string, string> = {}) {
  const installed = findPostgres()
  if (!installed) throw new Error('This needs initdb (Debian: apt-get install postgresql), and somebody to run it as.')
  const cluster = await startCluster(installed)
  const host = await startFakeHost()
  const link = await openLink(Number(new URL(cluster.url).port))
  const common = {
    DATABASE_URL: cluster.url.replace(/:\d+\//, `:${link.port}/`),
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    CODE_HOST_API_URL: host.url,
    CODE_HOST_TOKEN: host.token('service'),
    ...env,
  }
  const nodes: Process[] = []
  const doomed = new Set<Process>()
  const exits: string[] = []
  async function startNode(place: number): Promise<void> {
    const node = await startProcess(common)
    nodes[place] = node
    void node.exited.then(([code, signal]) => {
      if (!doomed.has(node))
        exits.push(`node ${place} ended by itself (${code ?? signal}): ${node.output().slice(-500)}`)
    })
  }
  async function stopNode(place: number, signal: NodeJS.Signals): Promise<void> {
    const node = nodes[place]
    if (!node) return
    doomed.add(node)
    await node.kill(signal)
  }
  for (let place = 0; place < count; place++) await startNode(place)
  const front = await openFront(() => nodes.map((node) => node.port))
  const world = { cluster, host, link, nodes, exits, front, startNode, stopNode, ...(await peopled(front.url, host)) }
  return {
    ...world,
    /** A node more, past the link and the front, for what is measured rather than broken. */
    startAside: (more: Record<string, string> = {}) => startProcess({ ...common, DATABASE_URL: cluster.url, ...more }),
    /** Past the link. */
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
      const client = new pg.Client({ connectionString: cluster.url })
      await client.connect()
      try {
        return (await client.query<Row>(text, values)).rows
      } finally {
        await client.end()
      }
    },
    async end(): Promise<void> {
      front.close()
      await Promise.all(nodes.map((_, place) => stopNode(place, 'SIGKILL')))
      link.close()
      await host.close()
      await cluster.remove()
    },
  }
}

async function peopled(url: string, host: Awaited<ReturnType<typeof startFakeHost>>) {
  const pulls = Array.from({ length: PULL_REQUESTS }, (_, i) => ({
    number: i + 1,
    files: [{ filename: 'src/app.ts', patch: PATCH }],
  }))
  host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })
  const users = await Promise.all(
    Array.from({ length: USERS }, async (_, i) => {
      const token = host.token(`user-${i}`)
      const { id } = await posted(`${url}/auth/signup`, token)
      return { id: String(id), token }
    }),
  )
  const texts: Text[] = []
  for (let number = 1; number <= ARTICLES; number++) {
    const { data } = await posted(`${url}/repos/acme/shop/pulls/${number}/article`, users[0]?.token ?? '')
    texts.push({ articleId: (data as { id: string }).id, language: 'ja' })
  }
  let last = ARTICLES
  /** A pull request that nobody has asked for yet, as long as there are some. */
  function nextPull(): number | undefined {
    last += 1
    return last <= PULL_REQUESTS ? last : undefined
  }
  return { users, texts, nextPull }
}

async function posted(url: string, token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  const body = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(body)}`)
  return body
}
