import { afterAll, describe, expect, test } from 'vitest'
import { keywordsOf } from '../../../src/domain/search/keywords.ts'
import { articlesOf } from '../../support/articles.ts'
import { favoritesOf } from '../../support/favorites.ts'
import { connectClient } from '../../support/mcp.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

type Written = [number: number, title: string, mergedAt: string | undefined]

async function written(name: string, pulls: Written[], repository = {}) {
  const files = [changed('src/request.ts')]
  repositoryOf(service, name, {
    ...repository,
    pulls: pulls.map(([number, title, mergedAt]) => ({ number, title, files, ...(mergedAt && { mergedAt }) })),
  })
  for (const [number] of pulls) await generated(`${name}#${number}`, token, { language: 'en' })
}

await written(
  'fastify/fastify',
  [
    [1, 'feat!: drop Node 18', '2026-08-01T09:00:00Z'],
    [2, 'feat!: trust no reverse proxy by default', '2026-08-10T09:00:00Z'],
    [3, 'fix: keep the host that trustProxy gives', '2026-08-12T09:00:00Z'],
    [4, 'feat: add a cache', '2026-08-14T09:00:00Z'],
    [5, 'feat: not merged yet', undefined],
  ],
  { description: 'Fast and low overhead web framework' },
)
await written('vitejs/vite', [[7, 'feat!: move the dev server behind a proxy', '2026-08-11T09:00:00Z']])
await written('acme/shop', [[1, 'fix: a basket', '2026-08-13T09:00:00Z']])
await written('acme/tools', [[1, 'feat: a tool', '2026-08-13T09:00:00Z']])
await written('other/tools', [[1, 'feat: another tool', '2026-08-13T09:00:00Z']])
const favorites = favoritesOf(service)
await favorites.favorite(token, 'vitejs/vite')
await favorites.favorite(token, 'acme/shop')
const anyone = await connectClient(service, '2025-11-25')
const user = await connectClient(service, '2025-11-25', token)

type Client = typeof anyone

async function found(tool: string, args: object, { call }: Client = anyone) {
  const { structured, text } = await call(tool, args)
  expect(structured, text).toBeDefined()
  const { articles }: { articles: { repository: string; number: number }[] } = structured
  return { names: articles.map(({ repository, number }) => `${repository}#${number}`), structured, text }
}

const repository = 'fastify/fastify'
const since = '2026-08-01'
const WEEK_MS = 7 * 24 * 60 * 60_000
const day = (time: number) => new Date(time).toISOString().slice(0, 10)

describe('what_changed', () => {
  test.each<[string, object, string[]]>([
    ['breaking changes first, then the latest', {}, ['#2', '#1', '#3', '#4']],
    ['changes of one compatibility', { compatibility: 'breaking' }, ['#2', '#1']],
    ['changes of a compatibility in its other spelling', { compatibility: 'behaviour' }, ['#3']],
    ['changes about a word', { query: 'proxy' }, ['#2', '#3']],
    ['changes about any of the words if none has all', { query: 'my trustProxy setup, please' }, ['#3']],
    ['changes until the end of a day', { until: '2026-08-12' }, ['#2', '#1', '#3']],
    ['changes before a time', { until: '2026-08-12T09:00:00Z' }, ['#2', '#1']],
    ['changes since a time', { since: '2026-08-10T09:00:01Z' }, ['#3', '#4']],
    ['changes by all filters', { until: '2026-08-14', query: 'proxy', compatibility: 'breaking' }, ['#2']],
  ])('lists %s', async (_, args, expected) => {
    const { names } = await found('what_changed', { repository, since, ...args })
    expect(names).toEqual(expected.map((number) => repository + number))
  })

  test('keeps the order over all pages', async () => {
    const names: string[] = []
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await found('what_changed', { repository, since, limit: 1, ...(cursor && { cursor }) })
      names.push(...page.names)
      cursor = page.structured.nextCursor
    }
    expect(names).toEqual(['#2', '#1', '#3', '#4'].map((number) => repository + number))
  })

  test('without a repository is about the favorites, or about all repositories', async () => {
    const { names, text } = await found('what_changed', { since }, user)
    expect(names).toEqual(['vitejs/vite#7', 'acme/shop#1'])
    expect(text.split('\n')[0]).toBe('2 favorites, merged since 2026-08-01T00:00:00.000Z: 2 articles.')
    expect((await found('what_changed', { since, query: 'proxy' }, user)).names).toEqual(['vitejs/vite#7'])
    const ofAll = await found('what_changed', { since, compatibility: 'breaking' })
    expect(ofAll.names).toEqual(['vitejs/vite#7', 'fastify/fastify#2', 'fastify/fastify#1'])
    expect(ofAll.text).toMatch(/^All repositories with articles, merged since /)
  })

  test('without a time is about the last seven days', async () => {
    const { text } = await found('what_changed', { repository })
    expect(text).toContain(`merged since ${day(service.ctx.now().getTime() - WEEK_MS)}T`)
  })
})

describe('search_articles', () => {
  test.each([
    ['what could break my reverse proxy', 'fastify/fastify#2'],
    ['trustProxy OR x-forwarded-host', 'fastify/fastify#3'],
    ['which of the many words that no article has at all is in a title: basket, or anything else', 'acme/shop#1'],
  ])('finds an article for the question: %s', async (query, expected) => {
    const { names, text } = await found('search_articles', { query })
    expect(names[0]).toBe(expected)
    expect(text).toContain('No article has all of these words.')
  })

  test('lists articles with any of the words in pages', async () => {
    const search = (args = {}) => found('search_articles', { query: 'basket cache Node', limit: 2, ...args })
    const first = await search()
    const second = await search({ cursor: first.structured.nextCursor })
    const all = [...first.names, ...second.names]
    expect(all.toSorted()).toEqual(['acme/shop#1', 'fastify/fastify#1', 'fastify/fastify#4'])
    expect(second.structured.nextCursor).toBeNull()
  })

  test.each(['could you', 'proxy -proxy', 'repo:acme/shop nothinglikethis', 'repo:acme/none', '"no such phrase"'])(
    'finds nothing for the query: %s',
    async (query) => {
      expect((await found('search_articles', { query })).names).toEqual([])
    },
  )
})

test.each([
  ['What changed in the reverse proxy?', 'changed reverse proxy'],
  ['プロキシの設定を壊す変更は？', 'プロキシ 設定 変更'],
  ['ETag の比較が変わった PR は？', 'ETag 比較'],
  ['ETag の比較 -cookie "weak tag" repo:acme/shop ETag', '-cookie "weak tag" repo:acme/shop ETag 比較'],
  ['of the', ''],
  ['repo:acme/shop', ''],
  [
    Array.from({ length: 12 }, (_, i) => `word${i}`).join(' '),
    'word0 word1 word2 word3 word4 word5 word6 word7 word8 word9',
  ],
])('the keywords of the question %s', (question, keywords) => {
  expect(keywordsOf(question)).toBe(keywords)
})

test.each([
  ['fastify', 'fastify/fastify, merged since'],
  ['FASTIFY', 'fastify/fastify, merged since'],
  ['tools', 'Several repositories have this name. Send other/tools or acme/tools.'],
  ['fastif', 'No repository with articles has this name. Similar ones are fastify/fastify.'],
  ['nothing', 'No repository with articles has this name. Send owner/name, or find it with list_repositories.'],
])('a repository named only %s is found, or the answer names candidates', async (name, expected) => {
  expect((await anyone.call('what_changed', { repository: name })).text).toContain(expected)
})

describe('list_repositories', () => {
  async function list({ call }: Client, args = {}) {
    const { structured, text } = await call('list_repositories', args)
    const names: string[] = structured.repositories.map((one: { repository: string }) => one.repository)
    return { structured, text, names }
  }

  test('lists the favorites of the user, then the others', async () => {
    const { names, text, structured } = await list(user)
    expect(names).toEqual(['acme/shop', 'vitejs/vite', 'other/tools', 'acme/tools', 'fastify/fastify'])
    expect(structured.repositories[0]).toMatchObject({ isFavorite: true, newArticles: 0 })
    expect(structured.repositories[4]).toMatchObject({ isFavorite: false, articles: 5 })
    expect(text.split('\n')[0]).toBe('2 favorites, 3 other repositories with articles.')
    expect(text).toContain('\n- acme/shop · favorite\n')
    expect(text).toMatch(/\n- fastify\/fastify · 5 articles · newest [\d-]+ · Fast and low overhead web framework\n/)
    const ofAnyone = await list(anyone)
    expect(ofAnyone.names).toEqual(['other/tools', 'acme/tools', 'acme/shop', 'vitejs/vite', 'fastify/fastify'])
  })

  test('finds words in names and descriptions', async () => {
    expect((await list(anyone, { query: 'web Framework' })).names).toEqual(['fastify/fastify'])
    expect((await list(user, { query: 'ACME' })).names).toEqual(['acme/shop', 'acme/tools'])
    expect((await list(anyone, { query: 'acme vite' })).names).toEqual([])
  })

  test('lists the others in pages, without the favorites', async () => {
    const first = await list(user, { limit: 2 })
    const second = await list(user, { limit: 2, cursor: first.structured.nextCursor })
    expect(first.names).toEqual(['acme/shop', 'vitejs/vite', 'other/tools', 'acme/tools'])
    expect([second.names, second.structured.nextCursor]).toEqual([['fastify/fastify'], null])
  })
})

describe('prompts', () => {
  async function textOf(name: string, args: Record<string, string> = {}) {
    const { messages } = await user.client.getPrompt({ name, arguments: args })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }])
    return JSON.stringify(messages)
  }

  test('ask what changed this week, and whether to upgrade, with dates and tools', async () => {
    const { prompts } = await user.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['this_week', 'may_i_upgrade'])
    const now = service.ctx.now().getTime()
    const week = await textOf('this_week')
    expect(week).toContain('in the repositories that I follow?')
    expect(week).toContain(`Call what_changed with since ${day(now - WEEK_MS)}`)
    expect(await textOf('this_week', { repository })).toContain(`what_changed with repository ${repository} and since`)
    const upgrade = await textOf('may_i_upgrade', { repository, from: '5.1.0', to: ' ' })
    expect(upgrade).toContain(`May I upgrade ${repository} from 5.1.0 to the newest version? Today is ${day(now)}.`)
  })

  test('need a known name and their arguments', async () => {
    await expect(textOf('monthly')).rejects.toThrow('There is no such prompt. There are this_week and may_i_upgrade.')
    await expect(textOf('may_i_upgrade')).rejects.toThrow('The prompt needs repository.')
  })
})
