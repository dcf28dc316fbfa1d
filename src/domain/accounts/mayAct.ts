import type { Context } from '../../context.ts'
import { type AccountState, findAccountState } from '../../db/accounts/accountState.ts'
import { accountBlocked } from './problems.ts'

/**
 * Throws unless the account may act: the one place that turns the state of an account into an error. Statements that
 * authenticate callers by themselves leave out accounts with such a state, and the callers then end up here.
 */
export function requireState(state: AccountState | null): void {
  if (state === 'blocked') throw accountBlocked()
}

/** As `requireState`, for an account that was found by something else than a session. */
export async function requireMayAct(ctx: Context, { id }: { id: string }): Promise<void> {
  requireState(await findAccountState(ctx.db, id))
}
