/** Calls it at most once. */
export function once<T extends object>(act: () => T): () => T {
  let result: T | undefined
  return () => {
    result ??= act()
    return result
  }
}
