/** The longest rate-limit pause of a token, whatever the code host says. GitHub's limits are renewed within an hour. */
export const MAX_PAUSE_SECONDS = 60 * 60
