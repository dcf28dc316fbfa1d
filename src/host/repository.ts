import { isId, isName, requireValid } from './fields.ts'

export interface HostRepository {
  id: number
  owner: string
  name: string
  private: boolean
}

export type ApiRepository = { id: number; name: string; private: boolean; owner: { login: string } }

export function toRepository(data: ApiRepository): HostRepository {
  requireValid(isId(data?.id) && isName(data.owner?.login) && isName(data.name) && typeof data.private === 'boolean')
  return { id: data.id, owner: data.owner.login, name: data.name, private: data.private }
}
