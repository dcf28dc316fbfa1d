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

export function userNotFound(): Problem {
  return new Problem('USER_NOT_FOUND', 'This identity has no account. Sign up first.')
}
