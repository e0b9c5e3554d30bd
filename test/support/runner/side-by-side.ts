import { test } from 'vitest'

/**
 * A `test` for those of a file that mostly wait: they run side by side, in the time of the first one, and each
 * is reported by its own name.
 */
export function sideBySide(): (name: string, body: () => Promise<void>) => void {
  const bodies: (() => Promise<void>)[] = []
  let outcomes: Promise<PromiseSettledResult<void>[]> | undefined
  return (name, body) => {
    const index = bodies.push(body) - 1
    test(name, async () => {
      outcomes ??= Promise.allSettled(bodies.map((each) => each()))
      const outcome = (await outcomes)[index]
      if (outcome?.status === 'rejected') throw outcome.reason
    })
  }
}
