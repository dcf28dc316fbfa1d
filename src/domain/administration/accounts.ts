import type { Kysely } from 'kysely'
import { endAllSessions, findAccountsNamed } from '../../db/admin/accounts.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

/**
 * Ends all sessions of a user, on all nodes. The log of acts contains only the account's id, so that it does not
 * identify a user whose account was deleted.
 */
export async function endSessions(
  db: Kysely<Schema>,
  loginOrHostId: string,
  operator: Operator,
): Promise<{ acts: Act[]; ended: number }> {
  const candidates = await findAccountsNamed(db, loginOrHostId)
  const withId = candidates.filter(({ host_user_id }) => String(host_user_id) === loginOrHostId)
  const accounts = withId.length > 0 ? withId : candidates
  if (accounts.length === 0) throw new AdminError('There is no such user.')
  const hostIds = [...new Set(accounts.map(({ host_user_id }) => host_user_id))]
  if (hostIds.length > 1)
    throw new AdminError(`Several users have this name. Use one of their ids on the code host: ${hostIds.join(', ')}`)
  // The same user may have two accounts: one of the code host, and one of an OpenID Connect issuer.
  const acts: Act[] = []
  let ended = 0
  for (const account of accounts) {
    const act = { ...operator, act: 'end sessions', subject: `user ${account.id}` }
    ended += await perform(db, act, (trx) => endAllSessions(trx, account, operator.at))
    acts.push(act)
  }
  return { acts, ended }
}
