import { expect, vi } from 'vitest'
import { aPull, articlesOf } from './articles.ts'
import type { Service } from './service.ts'

const COUNT_TIMEOUT_MS = 100

export interface Text {
  articleId: string
  langCode: string
}

/** Likes texts and reads the results. */
export function likesOf(service: Service) {
  const { generated } = articlesOf(service)
  const like = (token: string | undefined, { articleId, langCode }: Text) =>
    service.call('likeArticle', { token, params: { articleId, langCode } })
  async function ranking(query: Record<string, string | number>, token: string | undefined) {
    const { status, body } = await service.call('getArticleRanking', { token, query })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data
  }
  const uncounted = () => service.ctx.db.selectFrom('like_changes').select('article_id').limit(1).execute()
  const counted = () => vi.waitFor(async () => expect(await uncounted()).toEqual([]))
  return {
    like,
    counted,
    unlike: (token: string | undefined, { articleId, langCode }: Text) =>
      service.call('unlikeArticle', { token, params: { articleId, langCode } }),
    async liked(token: string, text: Text) {
      const answer = await like(token, text)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body.data
    },
    /**
     * Reads the ranking. If a slow machine answers before it has counted all likes, waits until they are counted and
     * reads again.
     */
    async ranking(query: Record<string, string | number> = {}, token?: string) {
      const askedAt = performance.now()
      const page = await ranking(query, token)
      if (performance.now() - askedAt < COUNT_TIMEOUT_MS) return page
      await counted().catch(() => {})
      return ranking(query, token)
    },
    async myLikes(token: string, query: Record<string, string | number> = {}) {
      const { status, body } = await service.call('listLikedArticles', { token, query })
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data
    },
    /** Changes the repository of a text on the code host. */
    change({ place }: { place: string }, repository: { private?: boolean; members?: string[] }): void {
      const [name] = place.split('#')
      const found = service.host.repositories.find((candidate) => `${candidate.owner}/${candidate.name}` === name)
      Object.assign(found ?? {}, repository)
    },
    /** Generates a text in a new repository. */
    async aText(writer: string, language = 'ja', repository = {}): Promise<Text & { place: string }> {
      const place = aPull(service, {}, repository)
      const { id } = await generated(place, writer, { language })
      return { articleId: id, langCode: language, place }
    },
  }
}
