/** Undoes one after the other, and all of it, whatever becomes of each. Errors: the last one. */
export async function undoAll([next, ...rest]: readonly (() => unknown)[]): Promise<void> {
  if (next === undefined) return
  try {
    await next()
  } finally {
    await undoAll(rest)
  }
}
