import type { ClockState } from '../domain/settings.ts'

/** Read access to the sandbox clock. */
export type ReadableClock = Pick<SandboxClock, 'now' | 'wall' | 'state' | 'frozen'>

/**
 * The sandbox clock: starts at the wall clock, can be frozen, set and moved. Business rules use it; header checks use
 * the wall clock, or every client would break. assumption: two-clocks
 */
export class SandboxClock {
  #state: ClockState

  constructor(
    readonly wall: () => number,
    state: ClockState = { offset: 0, frozenAt: null },
  ) {
    this.#state = state
  }

  /** Sandbox time in milliseconds. */
  now(): number {
    return this.at(this.wall())
  }

  /** Sandbox time when the wall clock says `wall`. */
  at(wall: number): number {
    return this.#state.frozenAt ?? wall + this.#state.offset
  }

  get state(): ClockState {
    return this.#state
  }

  get frozen(): boolean {
    return this.#state.frozenAt !== null
  }

  /** Sets the clock to a sandbox time; it stays frozen or running. */
  set(time: number): void {
    this.#state = { offset: time - this.wall(), frozenAt: this.frozen ? time : null }
  }

  freeze(): void {
    this.#state = { ...this.#state, frozenAt: this.now() }
  }

  /** Lets a frozen clock run on. */
  resume(): void {
    this.#state = { offset: this.now() - this.wall(), frozenAt: null }
  }

  /** Takes over the offset, and whether the clock is frozen, from a stored state. */
  follow(state: ClockState): void {
    this.#state = state
  }

  /** Returns to the wall clock. */
  reset(): void {
    this.#state = { offset: 0, frozenAt: null }
  }
}
