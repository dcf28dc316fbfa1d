import type { Kysely } from 'kysely'
import { acceptAgain, findEndedTokens } from '../../db/admin/forgottenTokens.ts'
import type { Schema } from '../../db/schema/schema.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Config } from '../../runtime/config/config.ts'
import { revocationHashOf } from '../accounts/bearer.ts'
import { accountsNamed } from './accounts.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

class NoneKnown extends AdminError {
  constructor() {
    super('No token that this user has logged out within 30 days is known. Send an older one on standard input.')
  }
}

/** Accepts the logged-out tokens of a user again, as far as their sessions are still stored. */
export async function forgetTokensOf(
  db: Kysely<Schema>,
  loginOrHostId: string,
  operator: Operator,
): Promise<{ acts: Act[]; tokens: number }> {
  const acts: Act[] = []
  let tokens = 0
  for (const account of await accountsNamed(db, loginOrHostId)) {
    const act = { ...operator, act: 'forget tokens', subject: `user ${account.id}` }
    const accepted = await perform(db, act, async (trx) => {
      const count = await acceptAgain(trx, await findEndedTokens(trx, account))
      if (count === 0) throw new NoneKnown()
      return count
    }).catch((error) => {
      if (error instanceof NoneKnown) return 0
      throw error
    })
    tokens += accepted
    if (accepted > 0) acts.push(act)
  }
  if (tokens === 0) throw new NoneKnown()
  return { acts, tokens }
}

/** Accepts one logged-out token again, however long ago it was logged out. */
export async function forgetToken(db: Kysely<Schema>, config: Config, token: Secret, operator: Operator): Promise<Act> {
  const act = { ...operator, act: 'forget token', subject: 'a token from standard input' }
  await perform(db, act, async (trx) => {
    if ((await acceptAgain(trx, [revocationHashOf(token, config)])) === 0)
      throw new AdminError('This token was not logged out.')
  })
  return act
}
