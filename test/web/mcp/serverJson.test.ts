import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../../support/articles.ts'
import { ACCEPT, expectError, type SentResult, toolCall, toolResult } from '../../support/mcp.ts'
import { startService } from '../../support/service.ts'

/** The URL in all templates, which operators replace with that of their service. */
const ADDRESS = 'https://pullpress.example.com'

const template = JSON.parse(readFileSync(new URL('../../../scripts/deploy/server.json', import.meta.url), 'utf8'))
const [{ type, url, headers }] = template.remotes
const service = await startService()
afterAll(() => service.close())
const token = await service.signedUp('owner')
const hidden = aPull(service, {}, { private: true, members: ['owner'] })
await articlesOf(service).generated(hidden, token)

async function send(message: object, more: Record<string, string> = {}) {
  const response = await fetch(url.replace(ADDRESS, service.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...more },
    body: JSON.stringify(message),
  })
  const { result } = (await response.json()) as { result: SentResult & { serverInfo?: object } }
  return result
}

test('the template for MCP registries follows the format of registries', () => {
  expect(template.$schema).toMatch(
    /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/,
  )
  expect(template.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect(template.description.length).toBeLessThanOrEqual(100)
  expect([template.websiteUrl, template.remotes.length, type]).toEqual([ADDRESS, 1, 'streamable-http'])
})

test('the template for MCP registries names the service and its version', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'plain', version: '1' } }
  const { serverInfo } = await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  expect(serverInfo).toMatchObject({ title: template.title, version: template.version })
})

test('the template for MCP registries names the header that carries the token, and marks this header as optional', async () => {
  const [{ name, placeholder, isRequired, isSecret }, ...others] = headers
  expect([isRequired, isSecret, others]).toEqual([false, true, []])
  const read = toolCall('read_article', { pullRequest: hidden })
  expectError(toolResult(await send(read)), 'HOST_REPO_NOT_FOUND')
  const signedIn = await send(read, { [name]: placeholder.replace('<token>', token) })
  expect(toolResult(signedIn).isError).toBe(false)
})
