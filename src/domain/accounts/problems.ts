import { Problem } from '../../errors.ts'

export function unauthenticated(message = 'The bearer token is not valid.'): Problem {
  return new Problem('UNAUTHENTICATED', message)
}

/** The operator has blocked the account. */
export function accountBlocked(): Problem {
  return new Problem('UNAUTHENTICATED', 'The operator of this service has blocked this account.', {
    details: { reason: 'account_blocked' },
  })
}

/** The account depends on the membership of an organization. */
export function membershipRequired(whoMaySignUp: string): Problem {
  const message = `Your membership of an organization could not be confirmed with this token. ${whoMaySignUp}`
  return new Problem('UNAUTHENTICATED', message, { details: { reason: 'membership_required' } })
}

export function userNotFound(): Problem {
  return new Problem('USER_NOT_FOUND', 'This identity has no account. Sign up first.')
}
