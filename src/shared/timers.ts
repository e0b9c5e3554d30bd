/**
 * Timers and clocks of the process as they were when this module was imported. A test framework that installs
 * fake timers replaces the global ones only: an in-process sandbox goes on with these. assumption: clocks
 */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } =
  globalThis
export const { nextTick } = process

/** Wall-clock time in milliseconds since 1970. */
export const wallTime: () => number = Date.now

/** Milliseconds of a clock that nobody sets, for durations. */
export const elapsedTime: () => number = performance.now.bind(performance)

/** Resolves in the next turn of the event loop: what waits, such as a payment, comes first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves once the signal aborts. */
export const untilAborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })

/** A promise, and the functions that settle it. */
export function deferred<T>() {
  const settle: { resolve?: (value: T) => void; reject?: (error: Error) => void } = {}
  const promise = new Promise<T>((resolve, reject) => Object.assign(settle, { resolve, reject }))
  return { promise, ...(settle as Required<typeof settle>) }
}

/** Longest part of a turn that is spent on items. Milliseconds. */
const partOfTurn = 20

/** Does something with each item, in as many turns of the event loop as it takes. */
export async function inTurns<T>(items: Iterable<T>, act: (item: T) => unknown): Promise<void> {
  let began = elapsedTime()
  for (const item of items) {
    act(item)
    if (elapsedTime() - began < partOfTurn) continue
    await nextTurn()
    began = elapsedTime()
  }
}

/** Resolves after that time, or at once when the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}
