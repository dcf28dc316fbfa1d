import { afterAll, expect, test } from 'vitest'
import type { FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import { faults } from '../../../scripts/fakeHost/faults.ts'
import { changed, pullsOf, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')
const { host } = service

test('reads every page of long lists', async () => {
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString()
  const commentsOf = (kind: string) => (_: unknown, i: number) => ({ author: 'a', body: `${kind} ${i}`, at: at(i) })
  const pull: FakePull = {
    number: 1,
    files: Array.from({ length: 730 }, (_, i) => changed(`f${i}.txt`)),
    comments: Array.from({ length: 250 }, commentsOf('comment')),
    reviewComments: Array.from({ length: 130 }, commentsOf('remark')),
    reviews: Array.from({ length: 205 }, commentsOf('review')),
    commits: Array.from({ length: 120 }, (_, i) => ({ message: `commit ${i}`, author: null })),
  }
  repositoryOf(service, 'acme/long', { pulls: [pull] })
  const stored = await ingested('acme/long#1', token)
  const bodies: string[] = stored.comments.map((comment: { body: string }) => comment.body)
  expect(bodies).toHaveLength(585)
  expect(new Set(bodies).size).toBe(585)
  expect(bodies.filter((body) => body.startsWith('comment'))).toHaveLength(250)
  const times: string[] = stored.comments.map((comment: { createdAt: string }) => comment.createdAt)
  expect(times).toEqual(times.toSorted())
  expect(stored.files.map((file: { path: string }) => file.path)).toEqual(pull.files?.map((file) => file.filename))
  expect(stored.commits).toHaveLength(120)
  expect(stored.leftOut).toEqual({ files: 0, patches: 0, comments: 0, commits: 0 })
})

test('reports files and patches that the host omits', async () => {
  const pull: FakePull = {
    number: 1,
    changedFiles: 3100,
    diff: null,
    commits: Array.from({ length: 300 }, (_, i) => ({ message: `commit ${i}`, author: 'a' })),
    files: [
      changed('plain.txt'),
      { filename: 'huge.json', additions: 90_000, deletions: 4 },
      { filename: 'logo.png', additions: 0, deletions: 0 },
      {
        filename: 'empty',
        status: 'added',
        additions: 0,
        deletions: 0,
        sha: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
      },
      { filename: 'new name', status: 'renamed', previous_filename: 'old name', additions: 0, deletions: 0 },
      changed('日本語.md', { status: 'added', deletions: 0, patch: '@@ -0,0 +1 @@\n+こんにちは' }),
      changed('gone.ts', { status: 'removed', additions: 0, patch: '@@ -1 +0,0 @@\n-bye' }),
      changed('minified.js', { patch: `@@ -1 +1 @@\n-${'x'.repeat(1_000_001)}` }),
      ...Array.from({ length: 2995 }, (_, i) => changed(`many/${i}.txt`)),
    ],
  }
  repositoryOf(service, 'acme/heap', { pulls: [pull] })
  const stored = await ingested('acme/heap#1', token)
  expect(stored.files).toHaveLength(3000)
  const kinds = Object.fromEntries(
    stored.files.slice(0, 8).map((file: { path: string; patch: string }) => [file.path, file.patch]),
  )
  expect(kinds).toEqual({
    'plain.txt': 'text',
    'huge.json': 'tooLarge',
    'logo.png': 'binary',
    empty: 'none',
    'new name': 'none',
    '日本語.md': 'text',
    'gone.ts': 'text',
    'minified.js': 'leftOut',
  })
  expect(stored).toMatchObject({
    changedFiles: 3100,
    diffTruncated: true,
    leftOut: { files: 100, patches: 2, comments: 0, commits: 50 },
  })
  expect(stored.diff).toContain(
    'diff --git "a/\\346\\227\\245\\346\\234\\254\\350\\252\\236.md" "b/\\346\\227\\245\\346\\234\\254\\350\\252\\236.md"\nnew file mode 100644\n--- /dev/null\n',
  )
  expect(stored.diff).toContain('diff --git a/old name b/new name\nrename from old name\nrename to new name\n')
  expect(stored.diff).toContain('deleted file mode 100644\n--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n')
  expect(`\n${stored.diff}`.split('\ndiff --git ')).toHaveLength(3001)
})

test('takes patches from the diff if the list of files lacks them', async () => {
  const diff =
    'diff --git a/big.sql b/big.sql\n--- a/big.sql\n+++ b/big.sql\n@@ -1 +1 @@\n-a\n+b\n' +
    'diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n'
  const files = [{ filename: 'big.sql' }, { filename: 'logo.png', additions: 0, deletions: 0 }]
  repositoryOf(service, 'acme/own', {
    pulls: [
      { number: 1, files, diff },
      { number: 2, files: files.toReversed(), diff },
    ],
  })
  const stored = await ingested('acme/own#1', token)
  expect(stored.diff).toBe(diff)
  expect(stored.files.map((file: { patch: string }) => file.patch)).toEqual(['text', 'binary'])
  expect(stored.diffTruncated).toBe(false)
  const other = await ingested('acme/own#2', token)
  expect(other.files.map((file: { patch: string }) => file.patch)).toEqual(['binary', 'tooLarge'])
  expect(other.diffTruncated).toBe(true)
})

test('handles deleted authors, empty bodies, drafts and deleted forks', async () => {
  const at = '2026-01-01T00:00:00Z'
  const pull: FakePull = {
    number: 1,
    author: null,
    body: null,
    state: 'open',
    draft: true,
    comments: [{ author: null, body: null, at }],
    commits: [{ message: '', author: null }],
  }
  repositoryOf(service, 'acme/ghosts', { pulls: [pull] })
  expect(await ingested('acme/ghosts#1', token)).toMatchObject({
    authorLogin: 'ghost',
    body: null,
    state: 'open',
    draft: true,
    merged: false,
    diff: '',
    files: [],
    comments: [{ author: 'ghost', body: '' }],
    commits: [{ author: 'A name', message: '' }],
  })
})

test('stores null characters, lone surrogates and unusual line ends', async () => {
  const text = 'null \0, half a pair \ud800, lines \u2028 and \r end'
  const files = [changed('odd\tname "x".txt', { patch: `@@ -1 +1 @@\n-${text}\n+\rdiff --git a/x b/x` })]
  const pull = { number: 1, title: '題 🎉', body: text, files, diff: null }
  repositoryOf(service, 'acme/odd', { pulls: [pull] })
  const stored = await ingested('acme/odd#1', token)
  expect(stored).toMatchObject({ title: '題 🎉', body: text, files: [{ path: 'odd\tname "x".txt', patch: 'text' }] })
  expect(stored.diff).toContain(text)
  expect(stored.diff).toMatch(/^diff --git "a\/odd\\tname \\"x\\".txt" /)
})

test('omits pending reviews', async () => {
  const at = '2026-01-01T00:00:00Z'
  const reviews = [
    { author: 'hanako', body: 'DRAFT-OF-HANAKO', at, state: 'PENDING' },
    { author: 'rin', body: 'Sent', at, state: 'COMMENTED' },
  ]
  repositoryOf(service, 'acme/review', { pulls: [{ number: 1, reviews }] })
  const { comments } = await ingested('acme/review#1', token)
  expect(comments.map((comment: { body: string }) => comment.body)).toEqual(['Sent'])
})

test('finds a renamed repository by its old and its new name', async () => {
  const repository = repositoryOf(service, 'acme/before', { pulls: [{ number: 1 }] })
  await ingested('acme/before#1', token)
  repository.name = 'after'
  host.moved('acme/before', repository.id)
  expect((await ingested('acme/before#1', token)).repositoryFullName).toBe('acme/after')
  expect((await get('acme/after#1')).body.data.repositoryFullName).toBe('acme/after')
})

test('fetches a diff again after a temporary error', async () => {
  const diff = 'diff --git a/big.sql b/big.sql\n--- a/big.sql\n+++ b/big.sql\n@@ -1 +1 @@\n-a\n+b\n'
  repositoryOf(service, 'acme/moment', { pulls: [{ number: 1, files: [{ filename: 'big.sql' }], diff }] })
  host.fail({ path: /moment\/pulls\/1$/, accept: /diff/, times: 2, act: faults.status(502) })
  expect(await ingested('acme/moment#1', token)).toMatchObject({ diffTruncated: true, files: [{ patch: 'tooLarge' }] })
  expect(await ingested('acme/moment#1', token)).toMatchObject({ diff, diffTruncated: false })
  expect(await host.during(() => ingested('acme/moment#1', token))).toMatchObject({ count: 1, free: 1 })
})

test('reports files as left out if the host cannot list them', async () => {
  repositoryOf(service, 'acme/heavy', { pulls: [{ number: 1, diff: null, files: [changed('a'), changed('b')] }] })
  host.fail({ path: /heavy\/pulls\/1\/files/, act: faults.status(422) })
  expect(await ingested('acme/heavy#1', token)).toMatchObject({
    files: [],
    diff: '',
    diffTruncated: true,
    leftOut: { files: 2 },
  })
})

test('marks a file as incomplete if the diff has no lines of it, and shortens the diff of a long binary file', async () => {
  const diff =
    'diff --git a/huge.txt b/huge.txt\nindex 1..2 100644\n' +
    `diff --git a/photo.raw b/photo.raw\nindex 1..2 100644\nGIT binary patch\nliteral 9\n${'z'.repeat(1_500_000)}\n`
  const files = [
    { filename: 'huge.txt', additions: 900 },
    { filename: 'photo.raw', additions: 0, deletions: 0 },
  ]
  repositoryOf(service, 'acme/hollow', { pulls: [{ number: 1, files, diff }] })
  const stored = await ingested('acme/hollow#1', token)
  expect(stored).toMatchObject({
    files: [{ patch: 'tooLarge' }, { patch: 'binary' }],
    diffTruncated: true,
    leftOut: { patches: 1 },
  })
  expect(stored.diff.length).toBeLessThan(1000)
})

test('accepts a commit with an invalid date', async () => {
  const commits = [
    { message: 'one', author: 'a', date: 'once upon a time' },
    { message: 'two', author: 'a', date: '+012345-01-01T00:00:00Z' },
  ]
  repositoryOf(service, 'acme/undated', { pulls: [{ number: 1, commits }] })
  const stored = await ingested('acme/undated#1', token)
  expect(stored.commits).toMatchObject([{ authoredAt: null }, { authoredAt: null }])
})

test('marks a patch as partial if it has fewer lines than the host counts, whether or not the host returns a diff', async () => {
  const files = [changed('cut.ts', { additions: 900 }), changed('whole.ts')]
  repositoryOf(service, 'acme/cut', {
    pulls: [
      { number: 1, files },
      { number: 2, files, diff: null },
    ],
  })
  for (const number of [1, 2])
    expect(await ingested(`acme/cut#${number}`, token)).toMatchObject({
      files: [{ patch: 'partial' }, { patch: 'text' }],
      diffTruncated: true,
      leftOut: { patches: 1 },
    })
})

test('accepts an unknown file status and the line number 0 from the host', async () => {
  const reviewComments = [{ author: 'a', body: 'b', at: '2026-01-01T00:00:00Z', path: 'a', line: 0 }]
  const files = [changed('a', { status: 'transmogrified' })]
  repositoryOf(service, 'acme/words', { pulls: [{ number: 1, files, reviewComments }] })
  expect(await ingested('acme/words#1', token)).toMatchObject({
    files: [{ status: 'changed' }],
    comments: [{ line: null }],
  })
})
