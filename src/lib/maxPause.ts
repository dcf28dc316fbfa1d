/**
 * The longest pause of an access token after a rate limit, even if the code host asks for a longer one. GitHub's limits
 * are renewed within an hour.
 */
export const MAX_PAUSE_SECONDS = 60 * 60
