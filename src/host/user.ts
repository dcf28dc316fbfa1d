import { isId, isOptionalText, isText, requireValid } from './fields.ts'

export interface HostUser {
  id: number
  login: string
  name: string | null
  email: string | null
  avatarUrl: string | null
  /** The token's scopes; empty if the code host does not report them. */
  scopes: string[]
}

type ApiUser = { id: number; login: string; name?: string | null; email?: string | null; avatar_url?: string }

const MAX_SCOPES = 100

export function toUser(data: ApiUser): Omit<HostUser, 'scopes'> {
  requireValid(isId(data?.id) && isText(data.login, 255))
  requireValid([data.name, data.email, data.avatar_url].every(isOptionalText))
  return {
    id: data.id,
    login: data.login,
    name: data.name || null,
    email: data.email || null,
    avatarUrl: data.avatar_url || null,
  }
}

export function toScopes(header = ''): string[] {
  return header
    .split(/, */)
    .filter((scope) => isText(scope, 100))
    .slice(0, MAX_SCOPES)
}
