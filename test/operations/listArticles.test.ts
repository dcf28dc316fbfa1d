import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { articlesOf, setLead } from '../support/articles.ts'
import type { Ask } from '../support/client.ts'
import { likesOf } from '../support/likes.ts'
import { changed, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

interface Listed {
  articleId: string
  prNumber: number
  languageCode: string
  [field: string]: unknown
}

let lastRepository = 0

/** Creates a repository and writes a Japanese outline for each of its pull requests. */
async function written(pulls: Partial<FakePull>[], repository = {}, writer = token) {
  lastRepository += 1
  const name = `acme/listed-${lastRepository}`
  const numbered = pulls.map((pull, i) => ({ number: i + 1, files: [changed(`src/file${i + 1}.ts`)], ...pull }))
  repositoryOf(service, name, { ...repository, pulls: numbered })
  for (const { number } of numbered) await generated(`${name}#${number}`, writer, { language: 'ja' })
  return name
}

async function list(query: Ask['query'] = {}, caller?: string) {
  const { status, body } = await service.call('listArticles', { token: caller, query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data as { data: Listed[]; pagination: { nextCursor: string | null }; isLimited: boolean }
}
const numbers = async (...args: Parameters<typeof list>) => (await list(...args)).data.map(({ prNumber }) => prNumber)

test('lists articles, the newest first', async () => {
  const repository = await written([
    { title: 'fix: count twice', labels: ['bug'], author: 'hanako', state: 'open' },
    { title: 'feat!: drop it', mergedAt: '2026-02-01T00:00:00Z' },
  ])
  const { data } = await list({ repository: repository.toUpperCase() })
  expect(data).toMatchObject([
    { prNumber: 2, merged: true, mergedAt: '2026-02-01T00:00:00.000Z', impact: { compatibility: 'breaking' } },
    {
      ...{
        prNumber: 1,
        languageCode: 'ja',
        languages: ['ja'],
        kind: 'outline',
        labels: ['bug'],
        authorLogin: 'hanako',
      },
      ...{
        state: 'open',
        merged: false,
        mergedAt: null,
        totalLikeCount: 0,
        liked: null,
        snippet: null,
        readingMinutes: 1,
      },
      ...{ repositoryFullName: repository, changeTypes: ['FIX'], lead: expect.any(String), authorIsBot: false },
      hostPrCreatedAt: expect.stringMatching(/^2\d{3}-.*Z$/),
    },
  ])
  expect((await list({ limit: 1 })).data).toMatchObject([{ prNumber: 2, repositoryFullName: repository }])
})

test('filters by query parameters, and by terms in the search text such as lang:ja', async () => {
  const repository = await written([
    { title: 'fix: count twice', labels: ['Needs Test'], author: 'hanako' },
    { title: 'feat!: drop it', labels: ['breaking'], author: 'taro', mergedAt: '2026-02-01T00:00:00Z' },
    { title: 'docs: tell why', files: [changed('README.md')], mergedAt: '2026-03-01T00:00:00Z' },
  ])
  for (const [query, wanted] of [
    [{ changeType: 'FIX' }, [1]],
    [{ q: 'type:feat' }, [2]],
    [{ q: 'type:feat', changeType: 'FIX' }, []],
    [{ compatibility: 'breaking' }, [2]],
    [{ compatibility: 'behavior' }, [1]],
    [{ compatibility: 'behaviour' }, [1]],
    [{ compatibility: ['behaviour', 'breaking'] }, [2, 1]],
    [{ changeType: ['FIX', 'FEAT'], author: ['hanako', 'nobody'] }, [1]],
    [{ changeType: ['FIX', 'DOCS'] }, [3, 1]],
    [{ author: ['HANAKO', 'taro'] }, [2, 1]],
    [{ label: ['breaking', 'needs test'] }, [2, 1]],
    [{ label: ['breaking', 'needs test'], q: 'twice' }, [1]],
    [{ author: 'Hanako' }, [1]],
    [{ author: 'hana' }, []],
    [{ label: 'needs test' }, [1]],
    [{ label: 'needs' }, []],
    [{ mergedSince: '2026-02-15T00:00:00Z' }, [3]],
    [{ mergedSince: '2026-02-01T09:00:00+09:00' }, [3, 2]],
    [{ mergedSince: '2026-02-01' }, [3, 2]],
    [{ mergedUntil: '2026-02-01T00:00:00Z' }, []],
    [{ mergedUntil: '2026-02-01' }, [2]],
    [{ mergedSince: '2026-02-02', mergedUntil: '2026-03-01', label: 'breaking' }, []],
    [{ mergedSince: '2026-02-02', mergedUntil: '2026-03-01' }, [3]],
    [{ sort: 'merged' }, [3, 2]],
    [{ sort: 'merged', label: 'breaking' }, [2]],
    [{ language: 'en' }, []],
    [{ q: 'lang:en' }, []],
    [{ q: 'lang:ja hanako' }, [1]],
    [{ q: '-taro -README' }, [1]],
    [{ q: '=> +' }, []],
    [{ q: '' }, [3, 2, 1]],
  ] as const)
    expect(await numbers({ repository, ...query }), JSON.stringify(query)).toEqual(wanted)
  expect(await numbers({ q: `repo:${repository} taro` })).toEqual([2])
  expect(await numbers({ q: 'repo:acme/nothing taro' })).toEqual([])
  expect(await numbers({ repository, q: 'repo:acme/nothing' })).toEqual([])
})

test('with favorites=true, lists only articles about favorites, with every other filter', async () => {
  const [followed, other] = [await written([{ title: 'fix: ours' }, { title: 'docs: ours' }]), await written([{}])]
  const reader = await service.signedUp('follower')
  const [owner = '', repo = ''] = followed.split('/')
  const mine = async (query: Record<string, string> = {}, caller: string | undefined = reader) =>
    (await list({ favorites: 'true', ...query }, caller)).data.map(
      ({ repositoryFullName, prNumber }) => `${repositoryFullName}#${prNumber}`,
    )
  expect(await mine()).toEqual([])
  await service.call('addFavorite', { token: reader, body: { owner, repo } })
  expect(await mine()).toEqual([`${followed}#2`, `${followed}#1`])
  expect(await mine({ changeType: 'FIX' })).toEqual([`${followed}#1`])
  expect(await mine({ q: 'ours', sort: 'newest' })).toEqual([`${followed}#2`, `${followed}#1`])
  expect(await mine({ repository: other })).toEqual([])
  expect(await mine({ repository: followed, limit: '1' })).toEqual([`${followed}#2`])
  const { body } = await service.call('listArticles', { query: { favorites: true } })
  expect(body.data.data).toEqual([])
})

test('a value that a filter does not know is answered with those that it knows', async () => {
  for (const [query, known] of [
    [{ changeType: 'fix' }, 'FEAT, FIX, REFACTOR, DOCS, TEST, PERF, BUILD, CHORE'],
    [{ compatibility: ['breaking', 'bad'] }, 'none, addition, behavior, behaviour, breaking'],
    [{ sort: 'best' }, 'newest, merged, likes, relevance'],
  ] as const) {
    const { status, body } = await service.call('listArticles', { query })
    const [{ message }] = body.error.details.issues
    expect([status, message]).toEqual([400, `must be equal to one of the allowed values: ${known}`])
  }
})

test('pages through results in every order without gaps or repetitions', async () => {
  const day = (n: number) => `2026-02-0${1 + (n % 3)}T00:00:00Z`
  const repository = await written(Array.from({ length: 7 }, (_, n) => ({ title: 'same words', mergedAt: day(n) })))
  const { data } = await list({ repository, limit: 100 })
  for (const { articleId, prNumber } of data.slice(0, 3))
    for (let liker = 0; liker < prNumber % 2; liker++)
      await likesOf(service).liked(token, { articleId, langCode: 'ja' })
  await service.ctx.counting.catchUp(true)
  const ids = data.map(({ articleId }) => articleId)
  for (const table of ['article_cards', 'article_search'])
    await sql`update ${sql.table(table)} set created_at = ${service.ctx.now()} where article_id = any(${ids})`.execute(
      service.ctx.db,
    )
  for (const query of [
    { sort: 'newest' },
    { sort: 'merged' },
    { sort: 'likes' },
    { q: 'same' },
    { q: 'same', sort: 'newest' },
    { q: 'same', sort: 'likes' },
  ]) {
    const whole = await numbers({ repository, ...query, limit: 100 })
    expect(whole.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    const paged: number[] = []
    let cursor: string | null = null
    do {
      const page = await list({ repository, ...query, limit: 3, ...(cursor && { cursor }) })
      paged.push(...page.data.map(({ prNumber }) => prNumber))
      cursor = page.pagination.nextCursor
    } while (cursor)
    expect(paged, JSON.stringify(query)).toEqual(whole)
  }
})

test('shows each article once, in the language of the reader if there is such a text', async () => {
  const repository = await written([{ title: 'one text' }, { title: 'two texts' }])
  await generated(`${repository}#2`, token, { language: 'en' })
  const english = await service.signedUp('english-reader')
  await service.call('updateCurrentUser', { token: english, body: { language: 'en' } })
  const languages = async (query: Record<string, string>, caller?: string) =>
    (await list({ repository, ...query }, caller)).data.map(
      ({ prNumber, languageCode }) => `${prNumber} ${languageCode}`,
    )
  expect(await languages({})).toEqual(['2 ja', '1 ja'])
  expect(await languages({}, english)).toEqual(['2 en', '1 ja'])
  expect(await languages({ q: 'text' }, english)).toEqual(['2 en', '1 ja'])
  for (const q of [{}, { q: 'text' }]) expect(await languages({ ...q, language: 'en' }, token)).toEqual(['2 en'])
  expect((await list({ repository, language: 'en' })).data).toMatchObject([{ languages: ['en', 'ja'] }])
})

test('returns how many likes an article has, and whether the caller likes the listed text', async () => {
  const repository = await written([{ title: 'liked' }, { title: 'not liked' }])
  const articleId = (await list({ repository })).data[1]?.articleId ?? ''
  await generated(`${repository}#1`, token, { language: 'en' })
  await likesOf(service).liked(token, { articleId, langCode: 'ja' })
  await likesOf(service).liked(await service.signedUp('another'), { articleId, langCode: 'en' })
  const likes = async (caller?: string) =>
    (await list({ repository }, caller)).data.map(({ totalLikeCount, liked }) => [totalLikeCount, liked])
  expect(await likes()).toEqual([
    [0, null],
    [2, null],
  ])
  expect(await likes(token)).toEqual([
    [0, false],
    [2, true],
  ])
  await service.ctx.counting.catchUp(true)
  expect(await likes()).toEqual([
    [0, null],
    [2, null],
  ])
  expect(await numbers({ repository, sort: 'likes' })).toEqual([1, 2])
})

test('marks the search terms in a snippet', async () => {
  const repository = await written([{ title: 'x' }])
  const [article] = (await list({ repository })).data
  await setLead(service, article?.articleId ?? '', 'ja', 'Ｗｉｄｅ **words** stay as they were written.')
  service.ctx.indexing.soon()
  const [found] = (await list({ repository, q: 'wide words' })).data
  expect(found?.['snippet']).toEqual({
    text: expect.stringMatching(/^Ｗｉｄｅ words stay/),
    marks: [
      { start: 0, end: 4 },
      { start: 5, end: 10 },
    ],
  })
})

test('finds an article by the new labels, merge time and repository name after these have changed', async () => {
  const repository = await written([{ title: 'before', labels: ['old'] }])
  const shown = service.host.repositories.at(-1)
  const [pull] = shown?.pulls ?? []
  if (!shown || !pull) throw new Error('The repository is missing.')
  Object.assign(pull, { labels: ['new'], mergedAt: '2026-05-01T00:00:00Z', updatedAt: '2026-05-01T00:00:00Z' })
  Object.assign(shown, { name: `${shown.name}-renamed` })
  await pullsOf(service).ingested(`${repository}-renamed#1`, token)
  service.ctx.indexing.soon()
  expect(await numbers({ repository: `${repository}-renamed`, label: 'new', sort: 'merged' })).toEqual([1])
  expect(await numbers({ q: 'renamed' })).toEqual([1])
  expect(await numbers({ repository: `${repository}-renamed`, label: 'old' })).toEqual([])
})

test('shows articles about private repositories only to sessions whose access was verified recently', async () => {
  const member = await service.signedUp('member')
  const secret = { private: true, members: ['member'] }
  const repository = await written(
    [{ title: 'fix: zebra crossing', labels: ['zebra'], author: 'zebra' }],
    secret,
    member,
  )
  const outsider = await service.signedUp('outsider')
  for (const query of [
    {},
    { repository },
    { q: 'zebra' },
    { q: `repo:${repository}` },
    { label: 'zebra' },
    { author: 'zebra' },
  ]) {
    expect((await list({ ...query, limit: 100 }, member)).data.map((row) => row['repositoryFullName'])).toContain(
      repository,
    )
    for (const caller of [undefined, outsider])
      expect(JSON.stringify(await list({ ...query, limit: 100 }, caller))).not.toContain('zebra')
  }
  service.advance(6 * 60_000)
  expect(JSON.stringify(await list({ q: 'zebra' }, member))).not.toContain('zebra')
})

test('omits articles of a repository that was not verified as public within a day, and verifies it again', async () => {
  const repository = await written([{ title: 'seen yesterday' }])
  const age = async (hours: number) => {
    await service.ctx.db
      .updateTable('repositories')
      .set({ verified_at: new Date(service.ctx.now().getTime() - hours * 3_600_000) })
      .where('name', '=', repository.split('/')[1] ?? '')
      .execute()
  }
  // Without this fault, the first list would start a check that verifies the repository.
  service.host.fail({ path: /^\/repositories\//, times: 100, act: faults.status(500) })
  await age(23.9)
  expect(await numbers({ repository })).toEqual([1])
  await age(24.1)
  service.advance(61_000)
  for (const query of [{ repository }, { q: `repo:${repository} yesterday` }]) expect(await numbers(query)).toEqual([])
  service.host.heal()
  service.advance(61_000)
  await expect.poll(() => numbers({ repository })).toEqual([1])
  // A node with a wrong clock may have stored a check in the future.
  await age(-1)
  service.advance(61_000)
  await numbers({ repository })
  await expect.poll(() => numbers({ repository })).toEqual([1])
})

const cursorAt = (time: number) =>
  Buffer.from(JSON.stringify([0, time, '00000000-0000-0000-0000-000000000000'])).toString('base64url')

test('rejects invalid parameters, but accepts special characters and extreme dates', async () => {
  for (const query of [
    { sort: 'relevance' },
    { sort: 'relevance', q: 'repo:a/b' },
    { sort: 'best' },
    { q: 'type:nothing' },
    { q: 'lang:japanese' },
    { q: 'x'.repeat(201) },
    { q: Array.from({ length: 11 }, (_, n) => `word${n}`).join(' ') },
    { cursor: 'bm90IGEgY3Vyc29y' },
    { cursor: Buffer.from('[1,2,"3"]').toString('base64url') },
    { mergedSince: 'yesterday' },
    { mergedSince: '2016-12-31T23:59:60Z' },
    { repository: 'flask' },
    { changeType: 'fix' },
    { lang: 'en' },
    { q: 'lang:zz' },
    { offset: '10' },
    { Q: 'case' },
  ]) {
    const { status, body } = await service.call('listArticles', { query })
    expect([status, body.error?.code], JSON.stringify(query)).toEqual([400, 'VALIDATION_ERROR'])
  }
  for (const q of ["'", '\\', '"', '--', "' | '", '&!()', ':*', '\u0000', 'a\u0000b', '😀', '%_', '<->'])
    expect((await service.call('listArticles', { query: { q } })).status, q).toBe(200)
  for (const sort of ['newest', 'merged', 'likes'])
    for (const q of ['', 'a'])
      for (const more of [{ mergedSince: '0000-01-01T00:00:00Z' }, { cursor: cursorAt(8.64e15) }]) {
        const query = { sort, ...(q && { q }), ...more }
        expect((await service.call('listArticles', { query })).status, JSON.stringify(query)).toBe(200)
      }
  for (const query of [{ label: 'a\u0000b' }, { repository: 'a/\u0000' }, { q: 'repo:a/\u0000' }])
    expect((await service.call('listArticles', { query })).body.data?.data, JSON.stringify(query)).toEqual([])
})

test('does not list the languages of texts that were written while the repository was private', async () => {
  const member = await service.signedUp('insider')
  const repository = await written([{}], { private: true, members: ['insider'] }, member)
  likesOf(service).change({ place: `${repository}#1` }, { private: false })
  service.advance(10 * 60_000)
  await generated(`${repository}#1`, member, { language: 'en' })
  expect((await list({ repository })).data).toMatchObject([{ languageCode: 'en', languages: ['en'] }])
})
