import { nextTurn } from '../timers.ts'

/** Most records that one search looks at. assumption: dashboard-list */
export const searchLimit = 20_000

/** Records that are read in one turn of the event loop: a few milliseconds where a text is searched. */
const recordsPerTurn = 250

/**
 * Looks at one record after the other, in turns of the event loop, until `look` answers false or the limit is reached.
 * Resolves to the index of the last one, or the one before the first. `indexOf`: index of a record after a turn; by
 * default its index before, because new records are added at the end.
 */
export async function walk<T>(
  records: readonly T[],
  start: number,
  step: 1 | -1,
  look: (record: T) => boolean,
  indexOf: (record: T, before: number) => number = (_, before) => before,
): Promise<number> {
  let index = start
  for (let readCount = 1; readCount <= searchLimit; readCount++) {
    const record = records[index]
    if (record === undefined) break
    if (!look(record)) return index
    if (readCount % recordsPerTurn === 0) {
      await nextTurn()
      index = indexOf(record, index)
    }
    index += step
  }
  return index - step
}
