import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../../support/articles.ts'
import { copyArticle } from '../../support/copies.ts'
import { connectClient, expectError, unmarked } from '../../support/mcp.ts'
import { listedMerges } from '../../support/mergeRows.ts'
import { at, merged, startWatchingService } from '../../support/merges.ts'
import { changed, pullsOf, repositoryOf } from '../../support/pulls.ts'

const service = await startWatchingService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const follower = await service.signedUp('follower')
const { call } = await connectClient(service, '2026-07-28')

async function watched(name: string, pulls = [merged(1, 1)]) {
  const repository = repositoryOf(service, name, { pulls })
  await service.favorite(follower, name)
  await service.poll()
  return repository
}

const minor = (number: number, minute: number) =>
  merged(number, minute, { title: `chore: tidy part ${number}`, files: [changed('src/a.ts')] })

test('what_changed lists all merged pull requests without an article, in pages', async () => {
  const repository = await watched('acme/busy')
  const numbers = Array.from({ length: 60 }, (_, i) => i + 2)
  repository.pulls?.push(...numbers.map((number) => minor(number, 200 + number)))
  await service.pollDue()
  const query = { repository: 'acme/busy', since: at(150) }
  const first = await call('what_changed', query)
  const { withoutArticle, nextMergesCursor } = first.structured
  expect(withoutArticle.length).toBeLessThan(60)
  expect(unmarked(first.text).split('\n')).toEqual([
    `acme/busy, merged since ${at(150)}: 0 articles, at least ${withoutArticle.length} merged pull requests without an article.`,
    'Without an article:',
    ...withoutArticle.map(
      ({ number, title, author, mergedAt }: Record<string, string>) =>
        `- ${mergedAt?.slice(0, 10)} · #${number} · ${title} · ${author}`,
    ),
    `More without an article with the mergesCursor ${nextMergesCursor}`,
  ])
  const found = [...withoutArticle]
  for (let mergesCursor = nextMergesCursor; mergesCursor !== null; ) {
    const { structured } = await call('what_changed', { ...query, mergesCursor })
    expect(structured.articles).toEqual([])
    found.push(...structured.withoutArticle)
    mergesCursor = structured.nextMergesCursor
  }
  expect(found.map(({ number }) => number)).toEqual(numbers.toReversed())
  expectError(await call('what_changed', { ...query, cursor: 'a', mergesCursor: nextMergesCursor }), 'VALIDATION_ERROR')
})

test('what_changed continues after a page of merged pull requests that all have an article', async () => {
  const repository = await watched('acme/written')
  const { id } = await generated('acme/written#1', follower)
  const copies = Array.from({ length: 100 }, (_, i) => ({ id: randomUUIDv7(), number: i + 3, at: new Date() }))
  await copyArticle(service.ctx.db, id, copies, {})
  await listedMerges(service, repository.id, [{ number: 2 }, ...copies.map(({ number }) => ({ number }))])
  const query = { repository: 'acme/written', since: '2026-02-01' }
  const { structured } = await call('what_changed', query)
  expect(structured.withoutArticle).toEqual([])
  const next = await call('what_changed', { ...query, mergesCursor: structured.nextMergesCursor })
  expect(next.structured).toMatchObject({ withoutArticle: [{ number: 2 }], nextMergesCursor: null })
})

test('what_changed lists the article about a pull request that was open when it was written', async () => {
  const repository = await watched('acme/early')
  const earlier = { number: 2, title: 'chore: tidy', updatedAt: at(190), files: [changed('src/a.ts')] }
  repository.pulls?.push(earlier)
  const article = await generated('acme/early#2', follower)
  repository.pulls?.splice(1, 1, minor(2, 200))
  await service.pollDue()
  const query = { repository: 'acme/early', since: at(150) }
  await expect
    .poll(async () => (await call('what_changed', query)).structured)
    .toMatchObject({ articles: [{ articleId: article.id, mergedAt: at(200) }], withoutArticle: [] })
  const expectMerged = async () => {
    const { body } = await service.call('getArticleById', { params: { articleId: article.id } })
    expect(body.data).toMatchObject({ state: 'closed', merged: true, mergedAt: at(200) })
  }
  await expectMerged()
  // A version of the pull request from before the merge arrives late.
  repository.pulls?.splice(1, 1, { ...earlier, title: 'chore: tidy up', updatedAt: at(195) })
  await pullsOf(service).ingested('acme/early#2', follower)
  await expectMerged()
})

test('URLs of cited lines lead to the new name of a renamed repository', async () => {
  const repository = await watched('acme/oldname', [merged(1, 1, { title: 'feat: add a basket' })])
  const article = await generated('acme/oldname#1', follower)
  repository.name = 'newname'
  repository.pulls?.splice(0, 1, merged(1, 1, { title: 'feat: add a basket', updatedAt: at(200) }))
  service.advance(20 * 60_000)
  await pullsOf(service).ingested('acme/newname#1', follower)
  const { text } = await call('read_article', { articleId: article.id })
  const urls = Array.from(text.matchAll(/\]\((\S+#diff-\S+)\)/g), ([, url]) => url)
  expect(urls.length).toBeGreaterThan(0)
  for (const url of urls) expect(url).toMatch(/\/acme\/newname\/pull\/1\/files\/\w+#diff-[\da-f]+$/)
})
