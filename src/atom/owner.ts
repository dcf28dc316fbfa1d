/** Whose the key in the address of a feed is, for sealing it. */
export function sealedForFeedOf(userId: string): string {
  return `feed ${userId}`
}
