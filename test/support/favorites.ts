import { expect } from 'vitest'
import type { Service } from './service.ts'

/** Registers and lists favorites by full name. */
export function favoritesOf(service: Service) {
  return {
    async favorite(token: string, name: string): Promise<void> {
      const [owner, repo] = name.split('/')
      const { status } = await service.call('registerFavorite', { token, body: { owner, repo } })
      expect(status).toBe(201)
    },
    async names(token: string, query = {}): Promise<string[]> {
      const { status, body } = await service.call('listFavorites', { token, query })
      expect(status).toBe(200)
      return body.data.data.map((favorite: { repositoryFullName: string }) => favorite.repositoryFullName)
    },
  }
}
