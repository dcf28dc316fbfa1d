import { listOf } from '../../../runtime/config/signUp.ts'
import type { jaSignUp } from './jaSignUp.ts'

export const enSignUp: typeof jaSignUp = {
  closed: 'This service accepts no new accounts. If you have one, you can sign in.',
  members: (organizations) => `members of ${listOf(organizations)}`,
  users: (logins) => `the ${logins.length === 1 ? 'user' : 'users'} ${listOf(logins)}`,
  only: (who) => `New accounts are only for ${who.join(' and ')}.`,
  membership:
    'To check that you are a member, we read which organizations you belong to. If your membership is private, your token must be able to read it (scope read:org).',
}
