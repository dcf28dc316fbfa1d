import { afterAll, describe, expect, test } from 'vitest'
import { articleBlocks, joinBlocks } from '../../../src/writer/render/articleMarkdown.ts'
import { articlesOf } from '../../support/articles.ts'
import { behaves } from '../../support/fakeModel.ts'
import { connectClient, expectError, unmarked, VERSIONS } from '../../support/mcp.ts'
import { merged, startWatchingService } from '../../support/merges.ts'
import { changed, pullsOf, repositoryOf } from '../../support/pulls.ts'

const service = await startWatchingService({ CODE_HOST_WEB_URL: 'https://host.example.com' })
afterAll(() => service.close())
const { generated } = articlesOf(service)
const follower = await service.signedUp('follower')

const repository = repositoryOf(service, 'acme/shop', { pulls: [merged(1, 1)] })
await service.favorite(follower, 'acme/shop')
await service.poll()
const tidy = merged(3, 201, { title: 'Tidy up', files: [changed('src/a.ts')] })
repository.pulls?.push(
  merged(2, 200, { title: 'feat: add a basket', body: 'Shoppers could not keep what they chose.' }),
  tidy,
)
await service.pollDue()
repositoryOf(service, 'acme/unwatched', { pulls: [merged(1, 1)] })
await pullsOf(service).ingested('acme/unwatched#1', follower)
await generated('acme/shop#2', follower, { language: 'ja' })
const article = await generated('acme/shop#2', follower, { language: 'en' })
const markdown = joinBlocks(articleBlocks(article, article.contents.en, 'en', { hasLinks: false })).trimEnd()

const pageLine = `Page of an article: ${service.url}/read/articles/{articleId}`

type Listed = Record<'title' | 'compatibility' | 'affected' | 'lead' | 'snippet' | 'language' | 'mergedAt', string> & {
  changeTypes: string[]
}

/** An article in the text of a list, which holds the same as its structured content. */
function entry({ title, compatibility, affected, lead, snippet, changeTypes, language, mergedAt }: Listed): string {
  return [
    `- ${mergedAt.slice(0, 10)} · ${compatibility} · acme/shop#2 · ${title}`,
    `affected: ${affected}`,
    lead,
    ...(snippet ? [`match: ${snippet}`] : []),
    [...changeTypes, language, `articleId ${article.id}`].join(' · '),
  ].join('\n  ')
}

describe.each(VERSIONS)('with protocol version %s', async (version) => {
  const anyone = await connectClient(service, version)
  const user = await connectClient(service, version, follower)

  test('lists the tools with short descriptions, annotations and schemas', () => {
    expect(anyone.client.getNegotiatedProtocolVersion()).toBe(version)
    expect(anyone.tools.map(({ name }) => name).sort()).toEqual([
      'ask_for_article',
      'list_repositories',
      'read_article',
      'search_articles',
      'what_changed',
    ])
    for (const { name, description, annotations, outputSchema } of anyone.tools) {
      expect(description?.length, name).toBeLessThan(300)
      expect(description).toMatch(name === 'ask_for_article' ? /COSTS MONEY/ : /Free\./)
      expect(annotations).toMatchObject({ readOnlyHint: name !== 'ask_for_article', openWorldHint: true })
      expect(outputSchema?.type).toBe(name.endsWith('_article') ? undefined : 'object')
    }
    const instructions = anyone.client.getInstructions() ?? ''
    for (const { name } of anyone.tools) expect(instructions).toContain(`: ${name}`)
  })

  test('search_articles finds articles with links to their pages', async () => {
    const { structured, text, isError } = await anyone.call('search_articles', { query: 'repo:acme/shop', limit: 5 })
    const [found] = structured.articles
    expect([isError, unmarked(text)]).toEqual([false, ['1 article.', entry(found), pageLine].join('\n')])
    const byUrl = { repository: 'https://host.example.com/acme/shop', mergedSince: '2020-01-01', limit: 5 }
    expect((await anyone.call('search_articles', byUrl)).structured.articles).toEqual([{ ...found, snippet: null }])
    expect(structured.articles).toEqual([
      expect.objectContaining({
        articleId: article.id,
        page: expect.stringMatching(`^${service.url}/read/articles/${article.id}\\?language=`),
        repository: 'acme/shop',
        number: 2,
        pullRequest: article.hostPrUrl,
      }),
    ])
    const { structured: none } = await anyone.call('search_articles', { query: 'nothing-like-this' })
    expect(none).toMatchObject({ articles: [], nextCursor: null })
  })

  test('read_article returns the whole article as text, for an article id or a pull request', async () => {
    const { structured, text, isError } = await anyone.call('read_article', { articleId: article.id, language: 'en' })
    expect([isError, structured]).toEqual([false, undefined])
    expect(unmarked(text).split('\n')).toEqual([
      `Article ${article.id} about acme/shop#2 · language en (also ja) · page ${service.url}/read/articles/${article.id}?language=en`,
      ...markdown.split('\n'),
      'A link to lines is the URL of the cited file with R3-R5 at its end, or L3-L5 for (old) lines.',
    ])
    const [change] = article.contents.en.mainChanges
    const [{ path, startLine, url }] = change.evidence
    expect(text).toContain(`\`${path}:${startLine}`)
    const file = url.slice(0, url.lastIndexOf('R'))
    expect(text).toContain(`](${file})`)
    for (const name of [
      { pullRequest: article.hostPrUrl },
      { pullRequest: 'acme/shop#2' },
      { pullRequest: 'shop#2' },
      { repository: 'acme/shop', number: 2 },
      { repository: 'Shop', number: 2 },
    ])
      expect(unmarked((await anyone.call('read_article', { ...name, language: 'en' })).text)).toBe(unmarked(text))
  })

  test('read_article adds the cited lines on request', async () => {
    const { text } = await anyone.call('read_article', { articleId: article.id, language: 'en', lines: true })
    const { body } = await service.call('getArticleById', {
      params: { articleId: article.id },
      query: { evidenceLines: 'true' },
    })
    const [{ lines }] = body.data.contents.en.mainChanges[0].evidence
    expect(lines.length).toBeGreaterThan(0)
    expect(text).toContain(`\`\`\`diff\n${lines.map((line: { text: string }) => `+${line.text}`).join('\n')}\n\`\`\``)
    expect(text).toContain(article.contents.en.lead.text)
  })

  test('read_article prefers the requested language, then that of the user', async () => {
    const languageOf = async (client: typeof anyone, args: object) =>
      /language (\w+ \(also \w+\))/.exec(
        (await client.call('read_article', { articleId: article.id, ...args })).text,
      )?.[1]
    expect(await languageOf(user, {})).toBe('ja (also en)')
    expect(await languageOf(anyone, { language: 'ja' })).toBe('ja (also en)')
    expect(await languageOf(anyone, { language: 'fr' })).toBe('en (also ja)')
  })

  test('what_changed lists articles and merged pull requests without one', async () => {
    const since = new Date(Date.parse(tidy.mergedAt ?? '') - 10 * 60_000).toISOString()
    const { structured, text } = await anyone.call('what_changed', { repository: 'acme/shop', since })
    expect(structured).toMatchObject({
      articles: [{ number: 2 }],
      isWatched: true,
      withoutArticle: [{ number: 3, title: 'Tidy up' }],
      nextMergesCursor: null,
    })
    const [found] = structured.articles
    expect(unmarked(text).split('\n')).toEqual([
      `acme/shop, merged since ${since}: 1 article, 1 merged pull request without an article.`,
      ...entry(found).split('\n'),
      pageLine,
      'Without an article:',
      `- ${tidy.mergedAt?.slice(0, 10)} · #3 · Tidy up · ${structured.withoutArticle[0].author}`,
    ])
    const inFrench = await anyone.call('what_changed', { repository: 'acme/shop', since, language: 'fr' })
    expect(inFrench.structured).toEqual(structured)
    const inJapanese = await anyone.call('what_changed', { repository: 'acme/shop', since, language: 'ja' })
    expect(inJapanese.structured.articles).toMatchObject([{ number: 2, language: 'ja' }])
    const later = await anyone.call('what_changed', { repository: 'acme/shop', since: tidy.mergedAt })
    expect(later.structured).toMatchObject({ articles: [], withoutArticle: [{ number: 3 }] })
    const date = await anyone.call('what_changed', { repository: 'acme/shop', since: '2020-01-01' })
    expect(date.structured.withoutArticle.map(({ number }: { number: number }) => number)).toEqual([3, 1])
    const { watchedSince } = date.structured
    expect(date.text.split('\n')[1]).toBe(`Merges before ${watchedSince} are known only in part.`)
    const unwatched = await anyone.call('what_changed', { repository: 'acme/unwatched', since: '2020-01-01' })
    expect([unwatched.structured.isWatched, unwatched.text]).toEqual([
      false,
      'acme/unwatched, merged since 2020-01-01T00:00:00.000Z: 0 articles.\nThe repository is not watched: other merged pull requests are unknown.',
    ])
  })

  test('ask_for_article returns the stored article', async () => {
    const asked = await user.call('ask_for_article', { pullRequest: 'acme/shop#2', language: 'en' })
    const read = await user.call('read_article', { articleId: article.id, language: 'en' })
    expect([asked.structured, unmarked(asked.text)]).toEqual([undefined, unmarked(read.text)])
  })

  test('the error for invalid arguments explains what is wrong', async () => {
    const tooMany = await anyone.call('search_articles', { limit: 21 })
    expectError(tooMany, 'VALIDATION_ERROR')
    expect(tooMany.error.details.issues).toEqual([{ in: 'body', path: '/limit', message: 'must be <= 20' }])
    expect(tooMany.text).toContain('/limit must be <= 20.')
    for (const [name, args] of Object.entries({
      search_articles: { unknown: 1 },
      read_article: {},
      what_changed: { repository: 'acme/shop', since: 'yesterday' },
      ask_for_article: { repository: 'acme/shop' },
    }))
      expectError(await user.call(name, args), 'VALIDATION_ERROR')
    for (const args of [
      { articleId: 'x' },
      { articleId: article.id, pullRequest: 'acme/shop#2' },
      { pullRequest: 'https://elsewhere.example.com/acme/shop/pull/2' },
      { pullRequest: 'acme/shop#2', number: 2 },
      { number: 2 },
    ])
      expectError(await anyone.call('read_article', args), 'VALIDATION_ERROR')
    expectError(await anyone.call('search_articles', { cursor: 'WzEsMl0x' }), 'VALIDATION_ERROR')
    expectError(
      await anyone.call('what_changed', { repository: 'acme/shop', since: '2016-12-31T23:59:60Z' }),
      'VALIDATION_ERROR',
    )
    await expect(anyone.call('unknown_tool')).rejects.toThrow('There is no such tool.')
  })

  test('unknown articles, repositories, pull requests and languages return the errors of the API', async () => {
    expectError(await anyone.call('read_article', { articleId: crypto.randomUUID() }), 'ARTICLE_NOT_FOUND')
    const unwritten = await anyone.call('read_article', { pullRequest: 'acme/shop#3' })
    expect([unwritten.error.code, unwritten.text.includes('ask_for_article')]).toEqual(['ARTICLE_NOT_FOUND', true])
    const unknown = await anyone.call('read_article', { pullRequest: 'acme/none#1' })
    expect([unknown.error.code, unknown.text.includes('may exist')]).toEqual(['HOST_REPO_NOT_FOUND', true])
    const nothing = { repository: 'acme/none', since: '2020-01-01' }
    expectError(await user.call('what_changed', nothing), 'HOST_REPO_NOT_FOUND')
    expectError(await user.call('ask_for_article', { pullRequest: 'acme/shop#9' }), 'PULL_REQUEST_NOT_FOUND')
    const unknownLanguage = { pullRequest: 'acme/shop#2', language: 'zz' }
    expectError(await user.call('ask_for_article', unknownLanguage), 'VALIDATION_ERROR')
  })

  test('ask_for_article needs a token with an account', async () => {
    expectError(await anyone.call('ask_for_article', { pullRequest: 'acme/shop#2' }), 'UNAUTHENTICATED')
    const without = await connectClient(service, version, service.host.token(`nobody-${version}`))
    expectError(await without.call('ask_for_article', { pullRequest: 'acme/shop#2' }), 'USER_NOT_FOUND')
    expect((await without.call('read_article', { pullRequest: 'acme/shop#2' })).isError).toBe(false)
  })

  test('an invalid token is refused with 401', async () => {
    await expect(connectClient(service, version, 'not-a-token')).rejects.toMatchObject({ status: 401 })
  })
})

// Must be the last test of the file, because it makes the service pause model calls.
test('the error of a failed job says when to try again', async () => {
  const { call } = await connectClient(service, '2026-07-28', follower)
  service.model.next(behaves.status(429, { 'retry-after': '600' }))
  const failed = await call('ask_for_article', { pullRequest: 'acme/shop#3' })
  expectError(failed, 'MODEL_UNAVAILABLE')
  expect(failed.error.retryAfter).toBeGreaterThan(0)
  expect(failed.text).toMatch(/Try again in \d+ seconds\.$/m)
})
