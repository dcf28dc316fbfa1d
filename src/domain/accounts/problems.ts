import { Problem } from '../../errors.ts'

export function unauthenticated(message = 'The bearer token is not valid.'): Problem {
  return new Problem('UNAUTHENTICATED', message)
}

export function userNotFound(): Problem {
  return new Problem('USER_NOT_FOUND', 'This identity has no account. Sign up first.')
}
