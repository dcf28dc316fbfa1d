import type { Kysely } from 'kysely'
import { endAllSessions, findAccountsNamed, setBlocked } from '../../db/admin/accounts.ts'
import { endJobs } from '../../db/admin/jobs.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { CANCELED } from './jobs.ts'
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
  const acts: Act[] = []
  let ended = 0
  for (const account of await accountsNamed(db, loginOrHostId)) {
    const act = { ...operator, act: 'end sessions', subject: `user ${account.id}` }
    ended += await perform(db, act, (trx) => endAllSessions(trx, account, operator.at))
    acts.push(act)
  }
  return { acts, ended }
}

/**
 * Blocks a user: no sign-in, session, token or feed address works until the user is unblocked, and running jobs are
 * canceled. Everything is kept, so unblocking restores the account as it was.
 */
export async function block(
  db: Kysely<Schema>,
  loginOrHostId: string,
  operator: Operator,
): Promise<{ acts: Act[]; jobs: number }> {
  const accounts = (await accountsNamed(db, loginOrHostId)).filter(({ blocked_by }) => blocked_by === null)
  if (accounts.length === 0) throw new AdminError('This user is blocked already.')
  const acts: Act[] = []
  let jobs = 0
  for (const { id: user_id } of accounts) {
    const act = { ...operator, act: 'block', subject: `user ${user_id}` }
    jobs += await perform(db, act, async (trx, id) => {
      if (!(await setBlocked(trx, user_id, id))) throw new AdminError('This user is blocked already.')
      return endJobs(trx, { user_id }, CANCELED, operator.at)
    })
    acts.push(act)
  }
  return { acts, jobs }
}

export async function unblock(db: Kysely<Schema>, loginOrHostId: string, operator: Operator): Promise<Act[]> {
  const accounts = (await accountsNamed(db, loginOrHostId)).filter(({ blocked_by }) => blocked_by !== null)
  if (accounts.length === 0) throw new AdminError('This user is not blocked.')
  const acts = accounts.map(({ id }) => ({ ...operator, act: 'unblock', subject: `user ${id}` }))
  for (const [i, { id }] of accounts.entries())
    await perform(db, acts[i] as Act, async (trx) => {
      if (!(await setBlocked(trx, id, null))) throw new AdminError('This user is not blocked.')
    })
  return acts
}

/** The accounts of a user: one of the code host, and one for each identity at an OpenID Connect issuer. */
export async function accountsNamed(db: Kysely<Schema>, loginOrHostId: string) {
  const candidates = await findAccountsNamed(db, loginOrHostId)
  const withId = candidates.filter(({ host_user_id }) => String(host_user_id) === loginOrHostId)
  const accounts = withId.length > 0 ? withId : candidates
  if (accounts.length === 0) throw new AdminError('There is no such user.')
  const hostIds = [...new Set(accounts.map(({ host_user_id }) => host_user_id))]
  if (hostIds.length > 1)
    throw new AdminError(`Several users have this name. Use one of their ids on the code host: ${hostIds.join(', ')}`)
  return accounts
}
