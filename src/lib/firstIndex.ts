/**
 * The first index for which `isReached` holds; `length` if there is none. `isReached` must hold for all later ones,
 * too.
 */
export function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}
