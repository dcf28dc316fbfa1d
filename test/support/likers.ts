import { expect } from 'vitest'
import type { FakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import type { Client } from './client.ts'
import { changed } from './pulls.ts'

export interface LikableText {
  articleId: string
  language: string
  createdAt: string
}

/** Signs up users in parallel. */
export function signUpMany(client: Client, host: FakeHost, number: number): Promise<{ id: string; token: string }[]> {
  return Promise.all(
    Array.from({ length: number }, async (_, i) => {
      const token = host.token(`liker-${i}`)
      let { status, body } = await client.call('signUp', { token })
      // Concurrent sign-ups may overload a busy machine.
      while (status === 503) ({ status, body } = await client.call('signUp', { token }))
      expect(status, JSON.stringify(body)).toBe(201)
      return { id: body.id, token }
    }),
  )
}

/** Generates articles in Japanese, and the first `inEnglish` also in English. */
export async function writeTexts(
  client: Client,
  { host, token }: { host: FakeHost; token: string },
  { articles, inEnglish }: { articles: number; inEnglish: number },
): Promise<LikableText[]> {
  const pulls = Array.from({ length: articles }, (_, i) => ({ number: i + 1, files: [changed('src/app.ts')] }))
  host.repository({ id: 1, owner: 'acme', name: 'shop', pulls })
  const write = async (number: number, language: string): Promise<LikableText> => {
    const params = { owner: 'acme', repo: 'shop', number: String(number) }
    const { status, body } = await client.call('generateArticle', { token, params, body: { language } })
    expect(status, JSON.stringify(body)).toBe(200)
    return { articleId: body.data.id, language, createdAt: body.data.createdAt }
  }
  const written = await Promise.all(
    pulls.map(async ({ number }) => {
      const text = await write(number, 'ja')
      return number <= inEnglish ? [text, await write(number, 'en')] : [text]
    }),
  )
  return written.flat()
}

/** Likes or unlikes a text. */
export function tap(client: Client, token: string, { articleId, language }: LikableText, isLike: boolean) {
  const params = { articleId, langCode: language }
  return client.call(isLike ? 'likeArticle' : 'unlikeArticle', { token, params })
}
