import { elapsedTime, sleep } from '../../shared/timers.ts'

/** Minimum pause between two pushes. Milliseconds. assumption: live-streams */
const pause = 1_000

/** A drawing that windows of the same page share. */
interface Drawing<T> {
  /** When it was begun; in the future while it waits for its turn. */
  readonly begins: number
  readonly fragments: Promise<T>
}

/** The latest drawing of each page that is looked at, by its address. */
export class SharedDrawings<T> {
  readonly #drawings = new Map<string, Drawing<T>>()

  /**
   * A drawing that begins after this call, at the earliest a second after the one before it; whoever asks
   * meanwhile gets the same. So every window sees the latest, and a page is drawn once a second for all of
   * them.
   */
  next(address: string, draw: () => Promise<T>): Promise<T> {
    const now = elapsedTime()
    const last = this.#drawings.get(address)
    if (last !== undefined && last.begins > now) return last.fragments
    const begins = Math.max(now, (last?.begins ?? 0) + pause)
    const fragments = (begins <= now ? Promise.resolve() : sleep(begins - now)).then(draw)
    this.#drawings.set(address, { begins, fragments })
    this.#forgetOld(now)
    return fragments
  }

  /** Forgets pages without readers. */
  #forgetOld(now: number): void {
    for (const [address, { begins }] of this.#drawings)
      if (begins + 10 * pause < now) this.#drawings.delete(address)
  }
}
