import { afterAll, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { sha } from '../../scripts/fakeHost/ids.ts'
import { changed, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { ingest, ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')

test('stores metadata, files, diff, commits and the conversation in chronological order', async () => {
  const files = [changed('src/a.ts'), changed('src/b.ts')]
  const reviewComments = [{ author: 'rin', body: 'Why?', at: '2026-02-02T00:00:00Z', path: 'src/a.ts', line: 1 }]
  const pull: FakePull = {
    number: 7,
    title: 'Fix the till',
    body: 'It *rang* twice.',
    author: 'taro',
    mergedAt: '2026-02-05T00:00:00Z',
    createdAt: '2026-02-01T00:00:00Z',
    updatedAt: '2026-02-05T00:00:00Z',
    files,
    comments: [
      { author: 'mio', body: 'Nice', at: '2026-02-03T00:00:00Z' },
      { author: 'taro', body: 'Hello', at: '2026-02-01T00:00:00Z' },
    ],
    reviewComments,
    reviews: [{ author: 'rin', body: '', at: '2026-02-04T00:00:00Z', state: 'APPROVED' }],
    commits: [{ message: 'Ring once\n\nNot twice.', author: 'taro' }],
  }
  repositoryOf(service, 'acme/shop', { pulls: [pull] })
  const stored = await ingested('ACME/Shop#7', token)
  expect(stored).toMatchObject({
    prNumber: 7,
    owner: 'acme',
    repo: 'shop',
    repositoryFullName: 'acme/shop',
    hostPrUrl: 'https://host.example.com/acme/shop/pull/7',
    title: 'Fix the till',
    body: 'It *rang* twice.',
    authorLogin: 'taro',
    state: 'closed',
    merged: true,
    draft: false,
    headSha: sha('head 7'),
    additions: 2,
    deletions: 2,
    changedFiles: 2,
    hostPrCreatedAt: '2026-02-01T00:00:00.000Z',
    diffTruncated: false,
    leftOut: { files: 0, patches: 0, comments: 0, commits: 0 },
    commits: [{ message: 'Ring once\n\nNot twice.', author: 'taro', truncated: false }],
  })
  expect(stored.comments.map((comment: { body: string }) => comment.body)).toEqual(['Hello', 'Why?', 'Nice', ''])
  expect(stored.comments[1]).toMatchObject({ kind: 'reviewComment', path: 'src/a.ts', line: 1 })
  expect(stored.comments[3]).toMatchObject({ kind: 'review', author: 'rin', reviewState: 'APPROVED' })
  expect(stored.files).toEqual([
    ...['src/a.ts', 'src/b.ts'].map((path) => ({
      ...{ path, previousPath: null, status: 'modified', additions: 1, deletions: 1 },
      ...{ patch: 'text', blobSha: sha(path), generated: false },
    })),
  ])
  expect(stored.diff).toBe(
    files
      .map((file) => `diff --git a/${file.filename} b/${file.filename}\nindex 1..2 100644\n${file.patch}\n`)
      .join(''),
  )
  expect((await get('acme/shop#7')).body.data).toEqual(stored)
})

test('stores labels, milestone, base branch, merge time, bot flag, URLs and the repository description', async () => {
  const at = '2026-02-02T00:00:00Z'
  const pull: FakePull = {
    number: 1,
    author: 'renovate',
    isBot: true,
    labels: ['bug', '', 'x'.repeat(101), 'null \0', 'half \ud800', '日本語 🎉'],
    milestone: 'v2.0',
    baseBranch: 'release/2.x',
    mergedAt: '2026-02-05T00:00:00Z',
    files: [changed('a'), changed('b', { sha: 'not an id' })],
    comments: [{ author: 'rin', body: 'Nice', at, url: 'https://host.example.com/acme/facts/pull/1#issuecomment-1' }],
    reviews: [{ author: 'rin', body: '', at, url: 'javascript:alert(1)' }],
  }
  repositoryOf(service, 'acme/facts', { description: `Facts ${'x'.repeat(2000)}`, pulls: [pull] })
  const stored = await ingested('acme/facts#1', token)
  expect(stored).toMatchObject({
    authorIsBot: true,
    labels: ['bug', '日本語 🎉'],
    milestone: 'v2.0',
    baseBranch: 'release/2.x',
    mergedAt: '2026-02-05T00:00:00.000Z',
    repositoryDescription: `Facts ${'x'.repeat(994)}`,
    linkedIssues: [],
    files: [{ blobSha: sha('a') }, { blobSha: null }],
    comments: [{ url: 'https://host.example.com/acme/facts/pull/1#issuecomment-1' }, { url: null }],
  })
  expect((await get('acme/facts#1')).body.data).toEqual(stored)
})

test('recognizes by the login that the author is a bot, and stores only the first 100 labels', async () => {
  const labels = Array.from({ length: 101 }, (_, i) => `label ${i}`)
  const pull = { number: 1, author: 'dependabot[bot]', labels: ['', ...labels] }
  repositoryOf(service, 'acme/plain', { pulls: [pull, { number: 2 }] })
  expect(await ingested('acme/plain#1', token)).toMatchObject({ authorIsBot: true, labels: labels.slice(0, 100) })
  expect(await ingested('acme/plain#2', token)).toMatchObject({
    ...{ authorIsBot: false, labels: [], milestone: null, baseBranch: 'main', mergedAt: null },
    repositoryDescription: null,
  })
})

test('distinguishes a missing repository from a missing pull request', async () => {
  repositoryOf(service, 'acme/few', { pulls: [{ number: 1 }] })
  expect((await ingest('acme/few#2', token)).body.error.code).toBe('PULL_REQUEST_NOT_FOUND')
  expect((await ingest('acme/none#2', token)).body.error.code).toBe('HOST_REPO_NOT_FOUND')
})

test.each(['0', '-1', '1.5', 'one', '2147483648'])('rejects %s as the number of a pull request', async (number) => {
  expect((await ingest(`acme/shop#${number}`, token)).status).toBe(400)
})
