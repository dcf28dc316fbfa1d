import type { jaTokens } from './jaTokens.ts'

export const enTokens: typeof jaTokens = {
  title: 'API tokens',
  help: 'Give one of these tokens to front ends, scripts and assistants, instead of an access token of the code host. Calls to the code host then use the access token saved for your account (POST /auth/token/exchange).',
  none: 'There are no API tokens yet.',
  created: 'The token was created. Copy it now: it is not shown again.',
  newToken: 'New token',
  copy: 'Copy',
  name: 'Name',
  nameHelp: 'What the token is for, such as: my assistant',
  scope: 'What it may do',
  scopes: { read: 'Read only', write: 'Read and change (ask for articles, favorites, likes)' },
  expiry: 'Valid for',
  days: (count) => (count === 365 ? '1 year' : `${count} days`),
  create: 'Create token',
  expires: 'Expires',
  expired: 'Expired',
  revoke: 'Revoke',
  revokeNamed: (name) => `Revoke ${name}`,
  invalid: (most) => `Enter a name of at most ${most} characters.`,
}
