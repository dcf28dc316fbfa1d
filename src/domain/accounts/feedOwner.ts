/** The additional authenticated data for sealing a feed's key: binds it to its owner. */
export function sealedForFeedOf(userId: string): string {
  return `feed ${userId}`
}
