/** The first index for which `isReached` holds, given that it holds for all after it; `length` if there is none. */
export function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}
