import { SeedFailure } from './failure.ts'
import { PULLS_PER_REPOSITORY } from './writing.ts'

const LIKES_PER_USER = 50
const LIKES_PER_ARTICLE = 100
const MIN_USERS = 300
const MIN_ARTICLES = 150
const MAX_ARTICLES = 100_000
/** The maximum share of texts that users like. Beyond it, everybody would like nearly everything. */
const MAX_DENSITY = 0.25

export interface Size {
  users: number
  repositories: number
}

/** The number of users and repositories for this many likes, unless given. */
export function sizeFor({ likes, users, articles }: { likes: number; users?: number; articles?: number }): Size {
  const size = {
    users: users ?? Math.max(MIN_USERS, Math.ceil(likes / LIKES_PER_USER)),
    repositories: Math.ceil(
      (articles ?? Math.min(MAX_ARTICLES, Math.max(MIN_ARTICLES, Math.ceil(likes / LIKES_PER_ARTICLE)))) /
        PULLS_PER_REPOSITORY,
    ),
  }
  if (likes > size.users * size.repositories * PULLS_PER_REPOSITORY * MAX_DENSITY)
    throw new SeedFailure('So few users and articles cannot have so many likes: a user can like a text only once.')
  return size
}
