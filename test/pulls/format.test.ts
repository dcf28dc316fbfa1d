import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { pack, unpack } from '../../src/db/engine/packed.ts'
import { aPull, articlesOf } from '../support/articles.ts'
import { changed, paramsOf, pullsOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { ingested, get } = pullsOf(service)
const { generated } = articlesOf(service)
const token = await service.signedUp('hanako')
const { host, ctx } = service

const DEFAULTS = {
  ...{ mergedAt: null, authorIsBot: false, labels: [], milestone: null, baseBranch: null },
  ...{ repositoryDescription: null, linkedIssues: [] },
}

/** Rewrites everything about a pull request as the previous version stored it. */
async function storeInFormerFormat(place: string): Promise<void> {
  const repository = await ctx.db
    .selectFrom('repositories')
    .where('name', '=', paramsOf(place)['repo'] ?? '')
    .select('host_repo_id')
    .executeTakeFirstOrThrow()
  const pulls = ctx.db.selectFrom('pull_requests').where('host_repo_id', '=', repository.host_repo_id)
  const row = await pulls.select(['version', 'document']).executeTakeFirstOrThrow()
  const document = JSON.parse((await unpack(row.document)).toString())
  for (const name of Object.keys(DEFAULTS)) delete document[name]
  for (const file of document.files) for (const name of ['blobSha', 'generated']) delete file[name]
  for (const comment of document.comments) delete comment.url
  const version = row.version.replace(/^\d+ /, '')
  expect(version).not.toBe(row.version)
  await ctx.db
    .updateTable('pull_requests')
    .set({ version, document: await pack(Buffer.from(JSON.stringify(document))) })
    .where('host_repo_id', '=', repository.host_repo_id)
    .execute()
  await sql`update etags set version = ${version} where version = ${row.version}`.execute(ctx.db)
}

const comments = [{ author: 'rin', body: 'Nice', at: '2026-02-02T00:00:00Z' }]

test('a pull request of the former format has the new fields, and is fetched in full once', async () => {
  const place = aPull(service, { labels: ['bug'], milestone: 'v2', comments })
  const current = await ingested(place, token)
  await storeInFormerFormat(place)
  const former = {
    ...current,
    ...DEFAULTS,
    files: current.files.map((file: object) => ({ ...file, blobSha: null })),
    comments: current.comments.map((comment: object) => ({ ...comment, url: null })),
  }
  expect((await get(place)).body.data).toEqual(former)
  const first = await host.during(async () =>
    expect(await ingested(place, token)).toMatchObject({
      ...{ labels: ['bug'], milestone: 'v2', files: current.files, comments: current.comments },
    }),
  )
  expect([first.to(/\/files$/), first.to(/\/commits$/), first.to(/issues\/1\/comments$/)]).toEqual([1, 1, 1])
  expect(await host.during(() => ingested(place, token))).toMatchObject({ count: 1, free: 1 })
})

test('a large pull request of the former format has the new fields', async () => {
  const files = Array.from({ length: 200 }, (_, i) =>
    changed(`${i}.txt`, { patch: `@@ -1 +1 @@\n-a\n+${'x'.repeat(4000)}` }),
  )
  const place = aPull(service, { files, comments })
  const current = await ingested(place, token)
  expect(current.diff.length).toBeGreaterThan(500_000)
  await storeInFormerFormat(place)
  const { body } = await get(place)
  expect(body.data).toMatchObject({ ...DEFAULTS, diff: current.diff, comments: [{ url: null }] })
  expect(body.data.files).toHaveLength(200)
})

test('an article about a pull request of the former format lacks its state and labels', async () => {
  const place = aPull(service, { labels: ['bug'], state: 'open' })
  const { id } = await generated(place, token)
  const read = async () => (await service.call('getArticleById', { params: { articleId: id } })).body.data
  expect(await read()).toMatchObject({ state: 'open', labels: ['bug'] })
  // The previous version updates a row without touching the new columns.
  await storeInFormerFormat(place)
  expect(await read()).toMatchObject({
    ...{ state: null, merged: null, mergedAt: null, draft: null, labels: [], authorIsBot: null },
    ...{ additions: null, deletions: null, changedFiles: null },
  })
  await ingested(place, token)
  expect(await read()).toMatchObject({ state: 'open', labels: ['bug'] })
})
