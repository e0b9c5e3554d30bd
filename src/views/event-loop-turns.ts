import { nextTurn } from '../timers.ts'

/** Does long work in turns of the event loop, one step each, while it `isWanted`. */
export async function inTurns(work: Iterator<void>, isWanted: () => boolean = () => true): Promise<void> {
  while (isWanted() && !work.next().done) await nextTurn()
}

/** Does the same work without a pause. */
export function atOnce(work: Iterator<void>): void {
  while (!work.next().done);
}
