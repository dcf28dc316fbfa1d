import type { components } from '../../../generated/api.ts'
import type { Profile } from '../../db/accounts/users.ts'
import type { UserRow } from '../../db/schema/schema.ts'
import type { HostUser } from '../../host/codeHost.ts'

/** The part of the code host's profile that is stored. */
export function profileColumns(profile: HostUser): Profile {
  return {
    host_username: profile.login,
    host_display_name: profile.name,
    email: profile.email,
    avatar_url: profile.avatarUrl,
  }
}

export function toUser(row: UserRow): components['schemas']['User'] {
  return {
    id: row.id,
    hostUserId: row.host_user_id,
    hostUsername: row.host_username,
    hostDisplayName: row.host_display_name,
    email: row.email,
    avatarUrl: row.avatar_url,
    language: row.language,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
