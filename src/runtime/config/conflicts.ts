import type { readSources } from './sources.ts'

type Values = ReturnType<typeof readSources>['values']

/** Conflicts between variables that are valid by themselves. Programs that never encrypt do not need a key. */
export function conflictsOf(set: Values, encrypts: boolean, unread: string[]): string[] {
  const conflicts: string[] = []
  // If a key is in a file that could not be read, the advice to generate one would be wrong.
  if (encrypts && set.DATABASE_URL && !set.TOKEN_ENCRYPTION_KEY && !unread.includes('TOKEN_ENCRYPTION_KEY'))
    conflicts.push('TOKEN_ENCRYPTION_KEY is required with DATABASE_URL (generate one with `openssl rand -base64 32`)')
  if (set.MIGRATIONS_DATABASE_URL && !set.DATABASE_URL) conflicts.push('MIGRATIONS_DATABASE_URL requires DATABASE_URL')
  if (set.ROLE && set.ROLE !== 'all' && !set.DATABASE_URL)
    conflicts.push('ROLE requires DATABASE_URL: the embedded database supports a single node only')
  if (set.OIDC_ISSUER && !set.OIDC_AUDIENCE) conflicts.push('OIDC_AUDIENCE is required with OIDC_ISSUER')
  for (const name of ['OIDC_AUDIENCE', 'OIDC_JWKS_URL', 'OIDC_HOST_USER_ID_CLAIM'])
    if (set[name] && !set.OIDC_ISSUER) conflicts.push(`${name} requires OIDC_ISSUER`)
  if (Boolean(set.CODE_HOST_CLIENT_ID) !== Boolean(set.CODE_HOST_CLIENT_SECRET))
    conflicts.push('CODE_HOST_CLIENT_ID and CODE_HOST_CLIENT_SECRET are required together')
  if (set.CODE_HOST_CLIENT_ID && set.OIDC_ISSUER)
    conflicts.push('CODE_HOST_CLIENT_ID cannot be combined with OIDC_ISSUER, which provides the accounts')
  return conflicts
}
