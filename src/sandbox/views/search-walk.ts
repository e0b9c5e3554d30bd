import { nextTurn } from '../../shared/timers.ts'

/** Most records that one search looks at. assumption: dashboard-list */
export const searchLimit = 20_000

/** Records that are read in one turn of the event loop: a few milliseconds where a text is searched. */
const recordsPerTurn = 250

/**
 * Looks at one record after the other, from `start` back, or with a step of 1 from there on, in turns of the
 * event loop, until `look` answers false or the limit is reached. Resolves to the index of the last one, or
 * the one before the first. Records may be added at the end meanwhile.
 */
export async function walk<T>(
  records: readonly T[],
  start: number,
  look: (record: T) => boolean,
  step: 1 | -1 = -1,
): Promise<number> {
  let index = start
  for (let readCount = 1; readCount <= searchLimit; readCount++) {
    const record = records[index]
    if (record === undefined) break
    if (!look(record)) return index
    if (readCount % recordsPerTurn === 0) await nextTurn()
    index += step
  }
  return index - step
}
