import { afterAll, expect, test } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import { changed, pullsOf, repositoryOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const { ingested } = pullsOf(service)
const token = await service.signedUp('hanako')

test('cuts long texts and marks them as truncated', async () => {
  const long = `${'あ'.repeat(65_535)}🎉`
  const mixed = `\ud800${'あ'.repeat(65_533)}🎉`
  const at = '2026-01-01T00:00:00Z'
  const pull: FakePull = {
    number: 1,
    body: long,
    comments: Array.from({ length: 90 }, () => ({ author: 'a', body: long, at })),
    commits: [{ message: `${mixed}あ`, author: 'a' }],
  }
  repositoryOf(service, 'acme/wordy', { pulls: [pull] })
  const stored = await ingested('acme/wordy#1', token)
  expect(stored.body).toBe('あ'.repeat(65_535))
  expect(stored.bodyTruncated).toBe(true)
  expect(stored.commits[0]).toMatchObject({ message: mixed, truncated: true })
  expect(stored.comments[0].truncated).toBe(true)
  expect(stored.comments).toHaveLength(76)
  expect(stored.leftOut.comments).toBe(14)
})

test('requests smaller pages if a page of files is too large', async () => {
  const patch = `@@ -1 +1 @@\n-a\n+${'x'.repeat(400_000)}`
  const files = Array.from({ length: 120 }, (_, i) => changed(`f${i}.txt`, { patch }))
  repositoryOf(service, 'acme/fat', { pulls: [{ number: 1, files, diff: null }] })
  const stored = await ingested('acme/fat#1', token)
  expect(stored.files.map((file: { path: string }) => file.path)).toEqual(files.map((file) => file.filename))
  expect(stored.leftOut).toMatchObject({ files: 0, patches: 96 })
})
