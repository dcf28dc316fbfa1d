import type { ErrorCode, ErrorReason, Problem } from '../../errors.ts'

const BY_OPERATOR = 'Only the operator of this service can change that.'
const BY_USER = 'Only the user can save one, with POST /auth/token/exchange.'
const MEANWHILE = 'Articles that exist can still be read.'

/**
 * What an assistant can do about an error, if neither the message nor the time to wait says so. Only MCP sends this
 * advice: clients of the API are programs, and the API must not reveal whether a private repository exists.
 */
const REMEDIES: Partial<Record<ErrorCode | ErrorReason, string>> = {
  UNAUTHENTICATED:
    'Ask the user to set a valid one, such as an API token from the page /read/me, in the settings of this server, as the header `Authorization: Bearer <token>`. The other tools need none.',
  USER_NOT_FOUND: 'Only the user can do that: on the sign-in page of this service, or with POST /auth/signup.',
  HOST_TOKEN_REQUIRED: BY_USER,
  HOST_TOKEN_INVALID: BY_USER,
  token_scope: `Ask the user for one, from the page /read/me of this service. ${MEANWHILE}`,
  private_not_allowed: BY_OPERATOR,
  sign_up_not_allowed: BY_OPERATOR,
  account_blocked: BY_OPERATOR,
  membership_required: 'Ask the user to join again, or to use a token that may read the membership.',
  hidden_by_operator: BY_OPERATOR,
  host_forbids_token: 'Ask the user to authorize the token for that organization, or to use another one.',
  HOST_REPO_NOT_FOUND:
    'Check the name. It may exist, but hidden from this user or unknown to Pullpress: only ask_for_article asks the code host about new ones.',
  PULL_REQUEST_NOT_FOUND: 'Check the number: issues have numbers, too.',
  ARTICLE_NOT_FOUND:
    'ask_for_article has it written, which costs money: ask the user first. search_articles finds those that exist.',
  NOT_FOUND: 'Call the tool again.',
  QUOTA_EXCEEDED: MEANWHILE,
  HOST_UNAVAILABLE: `The same call may succeed later. ${MEANWHILE}`,
  MODEL_UNAVAILABLE: MEANWHILE,
  GENERATION_FAILED: 'Another call starts a new attempt. If that fails in the same way, tell the user.',
  canceled_by_operator: 'Do not ask again: tell the user.',
  deadline: 'Another call would fail in the same way: tell the user.',
  memory: 'Another call would fail in the same way: tell the user.',
  INTERNAL_SERVER_ERROR: 'Try once more. If it fails again, tell the user the requestId.',
}

/** The remedy for the reason of an error, if it has one, otherwise for its code. */
export function remedyOf({ code, details }: Problem): string | undefined {
  return (details?.reason && REMEDIES[details.reason]) ?? REMEDIES[code]
}
