import { clip } from '../lib/clip.ts'
import { isCount, isId, isName, type Maybe, requireValid } from './fields.ts'

const MAX_DESCRIPTION_LENGTH = 1000

export interface HostRepository {
  id: number
  owner: string
  name: string
  private: boolean
  description: string | null
}

export type ApiRepository = {
  id: number
  name: string
  private: boolean
  owner: { login: string }
  description?: Maybe<string>
}

export function toRepository(data: ApiRepository): HostRepository {
  requireValid(isId(data?.id) && isName(data.owner?.login) && isName(data.name) && typeof data.private === 'boolean')
  const description = typeof data.description === 'string' ? clip(data.description, MAX_DESCRIPTION_LENGTH).text : null
  return {
    id: data.id,
    owner: data.owner.login,
    name: data.name,
    private: data.private,
    description: description || null,
  }
}

/** The first results of a search, best match first. */
export interface HostSearch {
  repositories: (HostRepository & { stars: number })[]
  /** Whether the code host ended the search early. */
  isIncomplete: boolean
}

type ApiHit = Omit<ApiRepository, 'owner'> & { owner: Maybe<ApiRepository['owner']>; stargazers_count: number }
type ApiSearch = { items: ApiHit[]; incomplete_results?: boolean }

export function toSearch({ items, incomplete_results }: ApiSearch): HostSearch {
  requireValid(Array.isArray(items) && items.every((item) => isCount(item?.stargazers_count)))
  // The code host describes the owner of a search result as nullable. A repository without an owner has no name to
  // request it by.
  const repositories = items.flatMap(({ owner, ...item }) =>
    owner ? [{ ...toRepository({ ...item, owner }), stars: item.stargazers_count }] : [],
  )
  return { repositories, isIncomplete: incomplete_results === true }
}
