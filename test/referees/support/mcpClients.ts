import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { connectClient, type SentResult, type ToolResult, toolResult, VERSIONS } from '../../support/mcp.ts'

/** A client of MCP, connected and initialized. */
export interface McpClient {
  listTools(): Promise<string[]>
  /** Returns the result of the tool. If there is none, rejects with the error that the client shows. */
  call(name: string, args?: Record<string, string | number>): Promise<ToolResult>
}

type Connect = (url: string, token?: string) => Promise<McpClient>

const require = createRequire(import.meta.url)
/** The Inspector must start in this folder, because it looks for its package.json relative to the current folder. */
const INSPECTOR_FOLDER = new URL('../node_modules/@modelcontextprotocol/inspector-cli/build/', import.meta.url)
const INSPECTOR_TIMEOUT_MS = 60_000

/** The official client in version 1.x. It validates structured content with the schemas from the list of tools. */
const connectFormer: Connect = async (url, token) => {
  const former = {
    ...(require('@modelcontextprotocol/sdk/client/index.js') as { Client: typeof Client }),
    ...(require('@modelcontextprotocol/sdk/client/streamableHttp.js') as {
      StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport
    }),
  }
  const client = new former.Client({ name: 'test', version: '1.0.0' })
  const headers = authorization(token)
  await client.connect(new former.StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  const { tools } = await client.listTools()
  return {
    listTools: async () => tools.map(({ name }) => name),
    call: async (name, args = {}) => toolResult((await client.callTool({ name, arguments: args })) as SentResult),
  }
}

/** The command line of the official Inspector. A new process is started for every message. */
const connectInspector: Connect = async (url, token) => {
  async function send(...args: string[]): Promise<unknown> {
    const headers = Object.entries(authorization(token)).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
    const all = ['index.js', `${url}/mcp`, '--transport', 'http', ...headers, '--method', ...args]
    const options = { cwd: INSPECTOR_FOLDER, timeout: INSPECTOR_TIMEOUT_MS }
    const { stdout } = await promisify(execFile)(process.execPath, all, options)
    return JSON.parse(stdout)
  }
  return {
    async listTools() {
      const { tools } = (await send('tools/list')) as { tools: { name: string }[] }
      return tools.map(({ name }) => name)
    },
    async call(name, args = {}) {
      const pairs = Object.entries(args).map(([key, value]) => `${key}=${value}`)
      const toolArgs = pairs.length > 0 ? ['--tool-arg', ...pairs] : []
      return toolResult((await send('tools/call', '--tool-name', name, ...toolArgs)) as SentResult)
    },
  }
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

export const CLIENTS: { who: string; connect: Connect }[] = [
  { who: 'the 1.x client', connect: connectFormer },
  { who: "the Inspector's command line", connect: connectInspector },
  ...VERSIONS.map((version) => ({
    who: `the 2.x client with ${version}`,
    async connect(url: string, token?: string): Promise<McpClient> {
      const { call, tools } = await connectClient({ url }, version, token)
      return { call, listTools: async () => tools.map(({ name }) => name) }
    },
  })),
]
