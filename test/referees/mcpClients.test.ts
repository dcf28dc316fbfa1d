import { afterAll, describe, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { expectError } from '../support/mcp.ts'
import { startService } from '../support/service.ts'
import { CLIENTS } from './support/mcpClients.ts'

const service = await startService()
afterAll(() => service.close())
const token = await service.signedUp('reader')
const pullRequest = aPull(service, { mergedAt: '2026-02-01T00:00:00Z' })
const [repository = ''] = pullRequest.split('#')
const { id: articleId } = await articlesOf(service).generated(pullRequest, token)

/** For every tool, arguments with which a call succeeds. */
const CALLS = {
  list_repositories: { query: repository },
  search_articles: { repository, limit: 5 },
  read_article: { articleId },
  what_changed: { repository, since: '2020-01-01' },
  ask_for_article: { pullRequest },
}
/** Calls that fail without a token, each with the error code and a pattern of the first line of the text. */
const FAILING: [keyof typeof CALLS, Record<string, string | number>, string, RegExp][] = [
  ['search_articles', { limit: 21 }, 'VALIDATION_ERROR', /\/limit must be <= 20/],
  ['read_article', { articleId: 'x' }, 'VALIDATION_ERROR', /`articleId`/],
  ['read_article', { articleId: crypto.randomUUID() }, 'ARTICLE_NOT_FOUND', /ask_for_article/],
  ['what_changed', { repository: 'acme/none', since: '2020-01-01' }, 'HOST_REPO_NOT_FOUND', /may exist/],
  ['ask_for_article', { pullRequest }, 'UNAUTHENTICATED', /requires a bearer token/],
]

describe.each(CLIENTS)('$who', async ({ connect }) => {
  const anyone = await connect(service.url)
  const user = await connect(service.url, token)

  test('lists the tools', async () => {
    expect((await anyone.listTools()).sort()).toEqual(Object.keys(CALLS).sort())
  })

  test.each(Object.entries(CALLS))('shows the answer of %s', async (name, args) => {
    const { isError, structured, text } = await user.call(name, args)
    const expected = name === 'list_repositories' ? repository : articleId
    expect([isError, text]).toEqual([false, expect.stringContaining(expected)])
    if (structured) expect(JSON.stringify(structured)).toContain(expected)
  })

  test.each(FAILING)('shows the error of %s with %j', async (name, args, code, text) => {
    const refused = await anyone.call(name, args)
    expectError(refused, code)
    expect(refused.text.split('\n')[0]).toMatch(text)
  })

  test('reports that a tool does not exist', async () => {
    await expect(anyone.call('unknown_tool')).rejects.toThrow('There is no such tool.')
  })

  test('reports that a token is refused', async () => {
    const refused = connect(service.url, 'not-a-token').then((client) => client.listTools())
    await expect(refused).rejects.toThrow(/The bearer token is not valid\.|requires authorization \(HTTP 401\)/)
  })
})
