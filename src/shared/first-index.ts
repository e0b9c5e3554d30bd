/** Index of the first of sorted records whose value is at least `least`; their number where there is none. */
export function firstIndex<T>(sorted: readonly T[], least: number, of: (record: T) => number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (of(sorted[middle] as T) < least) low = middle + 1
    else high = middle
  }
  return low
}
