import type { Context } from '../../context.ts'
import { type AccountState, findAccountState } from '../../db/accounts/accountState.ts'
import type { UserRow } from '../../db/schema/schema.ts'
import { requireMember } from './memberships.ts'
import { accountBlocked } from './problems.ts'
import type { Session } from './session.ts'

type Acting = Pick<Session, 'issuer' | 'bearer' | 'user'>

/**
 * Throws unless the account of a session may act: the one place that says what follows from the state of an account.
 * Statements that authenticate callers by themselves leave out accounts with a state; their callers then end up here.
 */
export async function requireMayAct(
  ctx: Context,
  state: AccountState | null,
  { user, ...session }: Acting,
  address: string,
): Promise<void> {
  requireNotBlocked(state)
  if (user && state === 'membership_due') await requireMember(ctx, { user, ...session }, address)
}

export function requireNotBlocked(state: AccountState | null): void {
  if (state === 'blocked') throw accountBlocked()
}

/** As `requireMayAct`, for an account that was not found by a session, but by the token of its owner. */
export async function requireAccountMayAct(
  ctx: Context,
  session: Acting & { user: UserRow },
  address: string,
): Promise<void> {
  await requireMayAct(ctx, await findAccountState(ctx.db, session.user.id, ctx.now()), session, address)
}
