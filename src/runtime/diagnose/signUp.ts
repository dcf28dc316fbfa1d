import type { Config } from '../config/config.ts'
import { isClosed, whoMaySignUp } from '../config/signUp.ts'
import type { Finding } from './finding.ts'

export async function checkSignUp({ signUp }: Config): Promise<Finding[]> {
  const found = whoMaySignUp(signUp)
  const isUndecided = signUp.isDefault && isClosed(signUp)
  if (!isUndecided) return [{ part: 'sign-up', state: 'ok', found }]
  const remedy = 'Set SIGN_UP to logins:<your login>, or to open if everybody may have an account.'
  return [
    { part: 'sign-up', state: 'advice', found: `${found} SIGN_UP is unset, and others can reach the service.`, remedy },
  ]
}
