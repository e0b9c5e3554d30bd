/** Runs every step, even if one throws. */
export async function undoAll([next, ...rest]: readonly (() => unknown)[]): Promise<void> {
  if (next === undefined) return
  try {
    await next()
  } finally {
    await undoAll(rest)
  }
}

/** Steps to undo, the newest first; `close` undoes all of them, once, however often it is called. */
export function undoSteps() {
  const undo: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= undoAll(undo)
    return closing
  }
  return { undo, close }
}
