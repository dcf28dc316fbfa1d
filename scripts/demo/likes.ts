import type { Api, Schemas } from './api.ts'
import type { Article } from './press.ts'

interface Liking {
  /** The reader of the demo. */
  own: Api
  apiOf: (login: string) => Api
  articles: Article[]
  language: string
}

/** Who likes which pull requests, by number; uneven on purpose. */
const LIKES: Record<string, number[]> = {
  aiko: [218, 1024, 96],
  bram: [218, 1024, 340],
  chidi: [218, 340, 221],
  dalia: [218, 1024],
  emre: [218, 1024],
  fatou: [218],
  goran: [218, 1024, 340],
}
const OWN = [218, 96]
const TAKEN_BACK = 1024

export function likePath({ id }: Article, language: string): string {
  return `/articles/${id}/language/${language}/like`
}

/**
 * Readers sign up and like articles; then the reader of the demo does, and removes one like. Returns the number of
 * remaining likes.
 */
export async function likeAll({ own, apiOf, articles, language }: Liking): Promise<number> {
  async function like(api: Api, numbers: number[]): Promise<number> {
    const liked = articles.filter(({ prNumber }) => numbers.includes(prNumber))
    await Promise.all(liked.map((article) => api.data('POST', likePath(article, language))))
    return liked.length
  }
  const counts = await Promise.all(
    Object.entries(LIKES).map(async ([login, numbers]) => {
      const api = apiOf(login)
      await api.data('POST', '/auth/signup')
      return like(api, numbers)
    }),
  )
  const likeCount = counts.reduce((sum, count) => sum + count, await like(own, OWN))
  const readers = `\n${counts.length + 1} readers gave`

  const unliked = articles.find(({ prNumber }) => prNumber === TAKEN_BACK)
  if (unliked) {
    const { likeCount: before } = await own.data<Schemas['LikeResult']>('POST', likePath(unliked, language))
    const { likeCount: after } = await own.data<Schemas['UnlikeResult']>('DELETE', likePath(unliked, language))
    const place = `${unliked.repositoryFullName}#${unliked.prNumber}`
    console.log(`${readers} ${likeCount + 1} likes and took one back: ${place}, ${before} → ${after}.`)
  } else console.log(`${readers} ${likeCount} likes.`)
  return likeCount
}
