import { expect } from 'vitest'
import { aPull, articlesOf } from './articles.ts'
import type { Service } from './service.ts'

export interface Text {
  articleId: string
  langCode: string
}

/** Liking, and reading what came of it. */
export function likesOf(service: Service) {
  const { generated } = articlesOf(service)
  const like = (token: string | undefined, { articleId, langCode }: Text) =>
    service.call('likeArticle', { token, params: { articleId, langCode } })
  return {
    like,
    unlike: (token: string | undefined, { articleId, langCode }: Text) =>
      service.call('unlikeArticle', { token, params: { articleId, langCode } }),
    async liked(token: string, text: Text) {
      const answer = await like(token, text)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body.data
    },
    async ranking(query: Record<string, string | number> = {}, token?: string) {
      const { status, body } = await service.call('getArticleRanking', { token, query })
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data
    },
    async myLikes(token: string, query: Record<string, string | number> = {}) {
      const { status, body } = await service.call('listLikedArticles', { token, query })
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data
    },
    /** Changes the repository that a text is of, on the code host. */
    change({ place }: { place: string }, repository: { private?: boolean; members?: string[] }): void {
      const [name] = place.split('#')
      const found = service.host.repositories.find((one) => `${one.owner}/${one.name}` === name)
      Object.assign(found ?? {}, repository)
    },
    /** A text to like, in a repository of its own. */
    async aText(writer: string, language = 'ja', repository = {}): Promise<Text & { place: string }> {
      const place = aPull(service, {}, repository)
      const { id } = await generated(place, writer, { language })
      return { articleId: id, langCode: language, place }
    },
  }
}
