import { afterAll, describe, expect, test } from 'vitest'
import { type ErrorDetails, Problem } from '../../../src/errors.ts'
import { toErrorResult } from '../../../src/web/mcp/runTool.ts'
import { generationFailed } from '../../../src/writer/errors.ts'
import { aPull, articlesOf } from '../../support/articles.ts'
import { connectClient, toolResult } from '../../support/mcp.ts'
import { repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ env: { CODE_HOST_WEB_URL: 'https://host.example.com' } })
afterAll(() => service.close())
const token = await service.signedUp('reader')
const written = aPull(service)
await articlesOf(service).generated(written, token)
repositoryOf(service, 'acme/new', { pulls: [] })
const anyone = await connectClient(service, '2025-11-25')
const user = await connectClient(service, '2025-11-25', token)
const stranger = await connectClient(service, '2025-11-25', service.host.token('stranger'))

const NO_ARTICLE = '00000000-0000-4000-8000-000000000000'
const firstLine = (text: string) => text.split('\n')[0]
const ONE_PULL = 'Send only one of them: pullRequest, or repository and number.'
const A_PULL = 'Send owner/name#number, or a URL such as https://host.example.com/owner/name/pull/1.'
const A_REPOSITORY = 'Send owner/name, or a URL such as https://host.example.com/owner/name.'
const WRONG = 'The arguments do not match the input schema of the tool.'
const REPO_UNKNOWN =
  'HOST_REPO_NOT_FOUND: There is no such repository. Check the name. It may exist, but hidden from this user or unknown to Pullpress: only ask_for_article asks the code host about new ones.'

describe('the first line of an error says what to do next', () => {
  test.each<[string, object, string]>([
    ['read_article', {}, 'VALIDATION_ERROR: Send articleId, pullRequest, or repository and number.'],
    ['read_article', { articleId: 'x' }, 'VALIDATION_ERROR: `articleId` is not an id. Take one from search_articles.'],
    [
      'read_article',
      { articleId: NO_ARTICLE, pullRequest: written },
      'VALIDATION_ERROR: Send only one of them: articleId, pullRequest, or repository and number.',
    ],
    ['read_article', { pullRequest: written, number: 2 }, `VALIDATION_ERROR: ${ONE_PULL}`],
    ['read_article', { number: 2 }, 'VALIDATION_ERROR: `repository` and `number` are required together.'],
    [
      'read_article',
      { pullRequest: 'https://other.example.com/acme/new/pull/1' },
      `VALIDATION_ERROR: \`pullRequest\` is not a pull request of this code host. ${A_PULL}`,
    ],
    [
      'search_articles',
      { repository: 'https://other.example.com/acme/new' },
      `VALIDATION_ERROR: \`repository\` is not a repository of this code host. ${A_REPOSITORY}`,
    ],
    [
      'search_articles',
      { compatibility: 'major' },
      `VALIDATION_ERROR: ${WRONG} /compatibility must be equal to one of the allowed values: none, addition, behavior, behaviour, breaking.`,
    ],
    ['search_articles', { limit: 21 }, `VALIDATION_ERROR: ${WRONG} /limit must be <= 20.`],
    ['search_articles', { q: 'x' }, `VALIDATION_ERROR: ${WRONG} arguments must NOT have additional properties: q.`],
    [
      'search_articles',
      { sort: 'best' },
      `VALIDATION_ERROR: ${WRONG} /sort must be equal to one of the allowed values: newest, merged, likes, relevance.`,
    ],
    [
      'search_articles',
      { sort: 'relevance' },
      'VALIDATION_ERROR: Sorting by relevance needs a word or phrase to search for.',
    ],
    [
      'search_articles',
      { cursor: 'WzEsMl0x' },
      'VALIDATION_ERROR: The cursor is not one that this list returned. Start again without it.',
    ],
    [
      'what_changed',
      { repository: 'acme/new', since: '2016-12-31T23:59:60Z' },
      'VALIDATION_ERROR: `since` is not a time. Send one such as 2026-11-01T00:00:00Z, or a date.',
    ],
    [
      'what_changed',
      { repository: 'acme/new', since: '2020-01-01', cursor: 'a', mergesCursor: 'b' },
      'VALIDATION_ERROR: Send cursor or mergesCursor, not both.',
    ],
    ['what_changed', { repository: 'acme/new', since: '2020-01-01' }, REPO_UNKNOWN],
    ['read_article', { pullRequest: 'acme/none#1' }, REPO_UNKNOWN],
    [
      'read_article',
      { articleId: NO_ARTICLE },
      'ARTICLE_NOT_FOUND: There is no such article. ask_for_article has it written, which costs money: ask the user first. search_articles finds those that exist.',
    ],
    [
      'ask_for_article',
      { pullRequest: written },
      'UNAUTHENTICATED: This tool requires a bearer token. Ask the user to set a valid one, such as an API token from the page /read/me, in the settings of this server, as the header `Authorization: Bearer <token>`. The other tools need none.',
    ],
  ])('%s with %j', async (name, args, expected) => {
    const { isError, text } = await anyone.call(name, args)
    expect([isError, firstLine(text)]).toEqual([true, expected])
  })

  test.each([
    [
      'acme/new#1',
      'PULL_REQUEST_NOT_FOUND: There is no such pull request. Check the number: issues have numbers, too.',
    ],
    ['acme/none#1', REPO_UNKNOWN],
  ])('ask_for_article about %s', async (pullRequest, expected) => {
    const { isError, text } = await user.call('ask_for_article', { pullRequest })
    expect([isError, firstLine(text)]).toEqual([true, expected])
  })

  test('ask_for_article without an account', async () => {
    const { text } = await stranger.call('ask_for_article', { pullRequest: written })
    expect(firstLine(text)).toBe(
      'USER_NOT_FOUND: This identity has no account. Sign up first. Only the user can do that: on the sign-in page of this service, or with POST /auth/signup.',
    )
  })

  test('a tool that does not exist', async () => {
    await expect(anyone.call('read')).rejects.toThrow(
      'There is no such tool. There are what_changed, read_article, search_articles, list_repositories, and ask_for_article.',
    )
  })
})

describe('an error of the service says what to do next', () => {
  const forbidden = (reason: ErrorDetails['reason']) =>
    new Problem('FORBIDDEN', 'Hidden.', reason && { details: { reason } })
  test.each<[string, Problem, string]>([
    ['a hidden article', forbidden('hidden_by_operator'), 'Only the operator of this service can change that.'],
    ['private code', forbidden('private_not_allowed'), 'Only the operator of this service can change that.'],
    [
      'a token that the code host forbids',
      new Problem('FORBIDDEN', 'Forbidden.', {
        details: { reason: 'host_forbids_token', authorizationUrl: 'https://host.example.com/sso' },
      }),
      'Ask the user to authorize the token for that organization, or to use another one. The user can authorize it at https://host.example.com/sso',
    ],
    [
      'a quota',
      new Problem('QUOTA_EXCEEDED', 'Used up.', { retryAfter: 60 }),
      'Articles that exist can still be read. Try again in 60 seconds.',
    ],
    [
      'a code host that is down',
      new Problem('HOST_UNAVAILABLE', 'Down.'),
      'The same call may succeed later. Articles that exist can still be read.',
    ],
    [
      'a model that is down',
      new Problem('MODEL_UNAVAILABLE', 'Down.', { retryAfter: 30 }),
      'Articles that exist can still be read. Try again in 30 seconds.',
    ],
    [
      'a failed article',
      generationFailed('Failed.'),
      'Another call starts a new attempt. If that fails in the same way, tell the user.',
    ],
    [
      'an article that is too large',
      generationFailed('Failed.', { reason: 'memory' }),
      'Another call would fail in the same way: tell the user.',
    ],
    [
      'an error of ours',
      new Problem('INTERNAL_SERVER_ERROR', 'Wrong.'),
      'Try once more. If it fails again, tell the user the requestId.',
    ],
    [
      'a token that is missing',
      new Problem('HOST_TOKEN_REQUIRED', 'Required.'),
      'Only the user can save one, with POST /auth/token/exchange.',
    ],
  ])('%s', (_, problem, expected) => {
    const { text } = toolResult(toErrorResult(problem, 'id'))
    expect(firstLine(text)).toBe(`${problem.code}: ${problem.message} ${expected}`)
  })
})
