import { sql } from 'kysely'
import { expect } from 'vitest'
import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import type { Ask } from './client.ts'
import { type FakeModel, startFakeModel } from './fakeModel.ts'
import { changed, paramsOf, repositoryOf } from './pulls.ts'
import { type Service, startService } from './service.ts'

/** Starts a service with a fake model. */
export async function startWritingService(
  env: Record<string, string> = {},
  options: { hasPages?: boolean; shedsWhenLagging?: boolean } = {},
) {
  const model = await startFakeModel()
  const service = await startService({ env: { ...model.env, ...env }, ...options })
  return {
    model,
    ...service,
    async close() {
      await service.close()
      await model.close()
    },
  }
}

export type WritingService = Service & { model: FakeModel }

/** Generates and reads articles by `owner/repo#number`. */
export function articlesOf(service: Service) {
  const generate = (place: string, token: string | undefined, body?: object, headers: Ask['headers'] = {}) =>
    service.call('generateArticle', { token, params: paramsOf(place), body, headers })
  return {
    generate,
    get: (place: string, token?: string, query: Record<string, string> = {}) =>
      service.call('getArticle', { token, params: paramsOf(place), query }),
    /** Generates the article, or returns the stored one. */
    async generated(place: string, token: string, body?: object) {
      const answer = await generate(place, token, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body.data
    },
  }
}

/** Sets the lead of a stored text, both in its content and in the column that lists read. */
export async function setLead({ ctx }: Service, articleId: string, language: string, text: string): Promise<void> {
  const lead = { text, basis: 'diff', evidence: [] }
  await sql`
    update article_texts
    set lead = ${text}, content = (content::jsonb || jsonb_build_object('lead', ${JSON.stringify(lead)}::jsonb))::text
    where article_id = ${articleId} and language = ${language}`.execute(ctx.db)
  ctx.indexing.soon()
}

let lastNumber = 0

/** A new repository with one pull request. */
export function aPull(service: Service, pull: Partial<FakePull> = {}, repository = {}): string {
  lastNumber += 1
  const name = `acme/paper-${lastNumber}`
  const files = pull.files ?? [changed('src/app.ts')]
  repositoryOf(service, name, { ...repository, pulls: [{ number: 1, title: 'A change', ...pull, files }] })
  return `${name}#1`
}
