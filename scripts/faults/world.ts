import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { findPostgres, startCluster } from '../../test/support/cluster.ts'
import { openLink } from '../../test/support/link.ts'
import { startProcess } from '../../test/support/process.ts'
import { startFakeHost } from '../fakeHost/fakeHost.ts'
import { openFront } from './front.ts'

const USERS = 40
const ARTICLES = 12
/** Pull requests without an article yet; the load requests them. */
const PULL_REQUESTS = 5000
const PATCH = '@@ -1,1 +1,2 @@\n const a = 1\n+const b = 2'

export type World = Awaited<ReturnType<typeof createWorld>>
type Process = Awaited<ReturnType<typeof startProcess>>

export interface Text {
  articleId: string
  language: string
}

/** Starts Postgres, nodes as processes and a load balancer, and creates users and articles. */
export async function createWorld(count: number, env: Record<string, string> = {}) {
  const installed = findPostgres()
  if (!installed)
    throw new Error('initdb (Debian: apt-get install postgresql) or an unprivileged user to run it is missing.')
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
  const stopping = new Set<Process>()
  const exits: string[] = []
  async function startNode(index: number): Promise<void> {
    const node = await startProcess(common)
    nodes[index] = node
    void node.exited.then(([code, signal]) => {
      if (!stopping.has(node))
        exits.push(`node ${index} exited unexpectedly (${code ?? signal}): ${node.output().slice(-500)}`)
    })
  }
  async function stopNode(index: number, signal: NodeJS.Signals): Promise<void> {
    const node = nodes[index]
    if (!node) return
    stopping.add(node)
    await node.kill(signal)
  }
  for (let index = 0; index < count; index++) await startNode(index)
  const front = await openFront(() => nodes.map((node) => node.port))
  const world = {
    cluster,
    host,
    link,
    nodes,
    exits,
    front,
    startNode,
    stopNode,
    ...(await createUsersAndArticles(front.url, host)),
  }
  return {
    ...world,
    /** Starts one more node that bypasses the link and the load balancer, for measurements without faults. */
    startAside: (more: Record<string, string> = {}) => startProcess({ ...common, DATABASE_URL: cluster.url, ...more }),
    /** Bypasses the link. */
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
      await Promise.all(nodes.map((_, index) => stopNode(index, 'SIGKILL')))
      link.close()
      await host.close()
      await cluster.remove()
    },
  }
}

async function createUsersAndArticles(url: string, host: Awaited<ReturnType<typeof startFakeHost>>) {
  const pulls = Array.from({ length: PULL_REQUESTS }, (_, i) => ({
    number: i + 1,
    files: [{ filename: 'src/app.ts', patch: PATCH }],
  }))
  host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })
  const users = await Promise.all(
    Array.from({ length: USERS }, async (_, i) => {
      const token = host.token(`user-${i}`)
      const { id } = await post(`${url}/auth/signup`, token)
      return { id: String(id), token }
    }),
  )
  const texts: Text[] = []
  for (let number = 1; number <= ARTICLES; number++) {
    const { data } = await post(`${url}/repos/acme/shop/pulls/${number}/article`, users[0]?.token ?? '')
    texts.push({ articleId: (data as { id: string }).id, language: 'ja' })
  }
  let last = ARTICLES
  /** The next pull request without an article; undefined if there is none left. */
  function nextPull(): number | undefined {
    last += 1
    return last <= PULL_REQUESTS ? last : undefined
  }
  return { users, texts, nextPull }
}

async function post(url: string, token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  const body = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${url} returned ${answer.status}: ${JSON.stringify(body)}`)
  return body
}
