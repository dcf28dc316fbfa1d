import { clip } from '../lib/clip.ts'
import { isId, isName, type Maybe, requireValid } from './fields.ts'

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
