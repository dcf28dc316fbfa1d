import type { jaErrors } from './jaErrors.ts'

export const enErrors: typeof jaErrors = {
  title: {
    400: 'Bad request',
    401: 'Sign in required',
    403: 'Not allowed',
    404: 'Not found',
    429: 'Too many requests',
    500: 'Something went wrong',
    503: 'Temporarily unavailable',
  },
  lead: {
    VALIDATION_ERROR: 'The URL or the input is not valid.',
    UNAUTHENTICATED: 'Sign in to continue.',
    HOST_TOKEN_INVALID: 'The code host rejected your saved access token. Sign in again.',
    HOST_TOKEN_REQUIRED: 'A code-host access token is required.',
    NOT_FOUND: 'This page does not exist, or you do not have access to it.',
    PAYLOAD_TOO_LARGE: 'The input is too long.',
    RATE_LIMITED: 'Too many requests. Try again shortly.',
    QUOTA_EXCEEDED: 'You have reached today’s article limit. Try again after midnight (UTC).',
    INTERNAL_SERVER_ERROR: 'The problem is on our side. Try again shortly.',
    HOST_UNAVAILABLE: 'The code host is not responding. Try again shortly.',
    MODEL_UNAVAILABLE: 'The AI model is not responding. Try again shortly.',
    GENERATION_FAILED: 'The generated text failed verification, so nothing was published. Try again.',
    SERVICE_UNAVAILABLE: 'The service is busy. Try again shortly.',
  },
  reasons: {
    favorite_limit: 'You can have up to 100 favorites. Remove one to add another.',
    token_limit: 'You can have up to 20 API tokens. Revoke one to create another.',
    token_scope: 'This needs an API token that may change things.',
    token_not_allowed: 'API tokens may not do this.',
    private_not_allowed: 'This repository is private, and this service does not send private code to an AI model.',
    hidden_by_operator: 'The operator of this service has hidden this pull request or its repository.',
    host_forbids_token:
      'This repository is public, but the code host does not allow your access there, for example because its organization requires single sign-on.',
    other_origin: 'Reload the page and try again.',
    token_owner_mismatch: 'This token belongs to another user of the code host.',
    sign_up_not_allowed: 'You may not sign up with this service.',
    account_blocked: 'The operator of this service has blocked this account.',
    membership_required:
      'We could not confirm that you are still a member of the organization that this account needs. Make your membership public, or use a token that may read it (scope read:org).',
    model_window_too_small:
      'The model of this server cannot read a pull request of this size. Only the operator can change that.',
    node_lost: 'Writing was interrupted too often and has been canceled. Try again.',
    deadline: 'This pull request takes too long to read, so no article can be written.',
    canceled_by_operator: 'The operator of this service canceled the writing of this article.',
    memory: 'This pull request takes too much memory to read, so no article can be written.',
  },
  authorize: 'Authorize access on the code host',
  noSuchPull: 'This pull request does not exist, or you do not have access to it.',
  requestId: 'Request ID',
  back: 'Back',
}
