import { SeedFailure } from './failure.ts'
import { PULLS_PER_REPOSITORY } from './writing.ts'

const LIKES_PER_USER = 50
const LIKES_PER_ARTICLE = 100
const FEWEST_USERS = 300
const FEWEST_ARTICLES = 150
const MAX_ARTICLES = 100_000
/** Of the texts that each user could like. Beyond that everybody would like nearly everything. */
const DENSEST = 0.25

export interface Size {
  users: number
  repositories: number
}

/** How many users and repositories so many likes take, or as many as are asked for. */
export function sizeFor({ likes, users, articles }: { likes: number; users?: number; articles?: number }): Size {
  const size = {
    users: users ?? Math.max(FEWEST_USERS, Math.ceil(likes / LIKES_PER_USER)),
    repositories: Math.ceil(
      (articles ?? Math.min(MAX_ARTICLES, Math.max(FEWEST_ARTICLES, Math.ceil(likes / LIKES_PER_ARTICLE)))) /
        PULLS_PER_REPOSITORY,
    ),
  }
  if (likes > size.users * size.repositories * PULLS_PER_REPOSITORY * DENSEST)
    throw new SeedFailure('So few users and articles cannot have so many likes: each user likes a text once.')
  return size
}
