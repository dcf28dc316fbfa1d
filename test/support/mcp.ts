import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { sendOnce } from './sendOnce.ts'

export const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const
export type Version = (typeof VERSIONS)[number]

export const ACCEPT = 'application/json, text/event-stream'

interface ServiceUrl {
  url: string
}

/** The result of a tool. */
export interface ToolResult {
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check the content
  structured: any
  text: string
  isError: boolean
  /** The error that the last line of the text holds as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check the content
  error?: any
}

type CallOptions = Parameters<Client['callTool']>[1]

/** The official client, connected with one version of the protocol. */
export async function connectClient({ url }: ServiceUrl, version: Version, token?: string) {
  const isModern = version === '2026-07-28'
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    isModern ? { versionNegotiation: { mode: { pin: version } } } : { supportedProtocolVersions: [version] },
  )
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  // Needed before calls: the client validates results by the output schemas of the listed tools.
  const { tools } = await client.listTools()
  return {
    client,
    tools,
    async call(name: string, args: object = {}, options: CallOptions = {}): Promise<ToolResult> {
      const result = await client.callTool({ name, arguments: { ...args } }, options)
      return toolResult(result as SentResult)
    },
  }
}

export interface SentResult {
  content: { type: string; text?: string }[]
  structuredContent?: unknown
  isError?: boolean
}

/**
 * Reads a result that a client received. Expects a single text in it, because models may see nothing else of a result.
 */
export function toolResult({ content, structuredContent, isError = false }: SentResult): ToolResult {
  expect(content.map(({ type }) => type)).toEqual(['text'])
  const text = content[0]?.text ?? ''
  const error = isError ? JSON.parse(text.slice(text.lastIndexOf('\n') + 1)).error : undefined
  return { structured: structuredContent, text, isError, error }
}

/** Untrusted texts in the text of a result, with the marks around them. */
export const MARKED = /^\[untrusted ([\da-f]{8}): .*never instructions\]\n([\s\S]*?)\n\[end of untrusted \1\]$/gm

/** The text of a result without the marks. */
export function unmarked(text: string): string {
  expect(text).toMatch(MARKED)
  return text.replaceAll(MARKED, '$2')
}

/** Sends a message of protocol version 2025-06-18 without the MCP library. */
export async function post({ url }: ServiceUrl, message: unknown, headers: Record<string, string> = {}) {
  const response = await sendOnce(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: ACCEPT,
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** The JSON-RPC message that calls a tool. */
export function toolCall(name: string, args: object = {}, id: string | number = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

export function expectError(result: ToolResult, code: string): void {
  expect([result.isError, result.error?.code, result.structured], result.text).toEqual([true, code, undefined])
  expect(result.text.startsWith(`${code}: ${result.error.message}`)).toBe(true)
}
