/** Calls it at most once. */
export function once<T>(act: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= act()
    return result
  }
}
