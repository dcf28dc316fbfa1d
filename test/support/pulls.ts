import { randomUUIDv7 } from 'node:crypto'
import { expect } from 'vitest'
import type { FakeFile, FakeRepository } from '../../scripts/fakeHost/fakeRepository.ts'
import type { Service } from './service.ts'

/** Ingests and reads pull requests by `owner/repo#number`. */
export function pullsOf(service: Service) {
  const call =
    (operationId: 'ingestPullRequest' | 'getPullRequest') =>
    (place: string, token?: string, query: Record<string, string> = {}) =>
      service.call(operationId, { token, params: paramsOf(place), query })
  const ingest = call('ingestPullRequest')
  return {
    ingest,
    get: call('getPullRequest'),
    /** Ingests the pull request and returns it. */
    async ingested(place: string, token: string) {
      const { status, body } = await ingest(place, token)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data
    },
  }
}

export function paramsOf(place: string): Record<string, string> {
  const [, owner = '', repo = '', number = ''] = /^(.+)\/(.+)#(.+)$/.exec(place) ?? []
  return { owner, repo, number }
}

let lastId = 50_000

/** A new repository for one test. */
export function repositoryOf(service: Service, name: string, more: Partial<FakeRepository> = {}): FakeRepository {
  const [owner = '', repo = ''] = name.split('/')
  lastId += 1
  return service.host.repository({ id: lastId, owner, name: repo, ...more })
}

export function changed(filename: string, more: Partial<FakeFile> = {}): FakeFile {
  return { filename, patch: `@@ -1 +1 @@\n-old ${filename}\n+new ${filename}`, ...more }
}

/** Neighboring lines differ in form, so that the prompt does not condense them. */
const varied = (i: number) => `const value${i} = compute(${i}${', 0'.repeat(i % 3)})`

/** A new file with this many lines. */
export function added(filename: string, lines: number, line = varied) {
  const rows = Array.from({ length: lines }, (_, i) => `+${line(i)}`)
  return {
    filename,
    status: 'added',
    additions: lines,
    deletions: 0,
    patch: `@@ -0,0 +1,${lines} @@\n${rows.join('\n')}`,
  }
}

export async function insertArticle({ ctx }: Service, hostRepoId: number, number: number): Promise<void> {
  const now = ctx.now()
  const id = randomUUIDv7()
  await ctx.db
    .insertInto('articles')
    .values({ id, host_repo_id: hostRepoId, number, created_at: now, updated_at: now })
    .execute()
  await ctx.db
    .insertInto('article_texts')
    .values({
      ...{ article_id: id, language: 'ja', version: 1, private: false, head_sha: 'x', kind: 'outline' as const },
      ...{ prompt_version: '1', translated_from: null, title: 'x', content: '{}', generated_at: now, forced_at: null },
    })
    .execute()
}
