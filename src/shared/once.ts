/** The result of one call, which is made when it is first needed. */
export function once<T extends object | string>(act: () => T): () => T {
  let result: T | undefined
  return () => {
    result ??= act()
    return result
  }
}
