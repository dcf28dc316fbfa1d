import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { findPostgres, startCluster } from '../../test/support/cluster.ts'
import { openLink } from '../../test/support/link.ts'
import { startProcess } from '../../test/support/process.ts'
import { startFakeHost } from '../fakeHost/fakeHost.ts'
import { openLoadBalancer } from './loadBalancer.ts'

const NODES = 3

export type Deployment = Awaited<ReturnType<typeof startDeployment>>
export type Node = Awaited<ReturnType<typeof startProcess>>

/** Starts Postgres, three nodes as processes and a load balancer. The nodes reach Postgres through a link. */
export async function startDeployment(env: Record<string, string> = {}) {
  const installed = findPostgres()
  if (!installed)
    throw new Error('initdb (Debian: apt-get install postgresql) or an unprivileged user to run it is missing.')
  const cluster = await startCluster(installed)
  const host = await startFakeHost()
  const link = await openLink(Number(new URL(cluster.url).port))
  const settings = {
    DATABASE_URL: cluster.url.replace(/:\d+\//, `:${link.port}/`),
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    CODE_HOST_API_URL: host.url,
    CODE_HOST_TOKEN: host.token('service'),
    ...env,
  }
  const nodes: Node[] = []
  const stopping = new Set<Node>()
  const crashes: string[] = []

  async function startNode(index: number): Promise<void> {
    const node = await startProcess(settings)
    nodes[index] = node
    void node.exited.then(([code, signal]) => {
      if (!stopping.has(node)) crashes.push(`node ${index} crashed (${code ?? signal}): ${node.output().slice(-500)}`)
    })
  }

  async function stopNode(index: number, signal: NodeJS.Signals): Promise<void> {
    const node = nodes[index]
    if (!node) return
    stopping.add(node)
    await node.kill(signal)
  }

  for (let index = 0; index < NODES; index++) await startNode(index)
  const balancer = await openLoadBalancer(() => nodes.map((node) => node.port))
  return {
    ...{ cluster, host, link, nodes, crashes, balancer, startNode, stopNode },
    /** Runs a query directly on Postgres, not through the link. */
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
      balancer.close()
      await Promise.all(nodes.map((_, index) => stopNode(index, 'SIGKILL')))
      link.close()
      await host.close()
      await cluster.remove()
    },
  }
}
