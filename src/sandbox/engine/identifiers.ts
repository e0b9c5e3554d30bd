import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Stamp } from '../../domain/model/commands.ts'
import { type ClockState, noSettings, sandboxTimeAt } from '../../domain/settings.ts'

/** Generates ids; tests inject their own. assumption: identifiers */
export interface Identifiers {
  /** 16 digits, greater than every earlier id. */
  transactionId(): string
  /** Ids that follow are greater than that one, too. */
  startAfter(transactionId: number): void
  /** 6 digits. */
  authCode(): string
  /** Names a hosted page; 160 random bits. */
  sessionId(): string
  /** Names one answer in logs. */
  traceId(): string
}

/** Ids from the wall clock and random numbers. */
export function createIdentifiers(wall: () => number): Identifiers {
  let last = 0
  return {
    transactionId() {
      last = Math.max(last + 1, wall() * 1000 + randomInt(1000)) // spaces of one moment share no id
      return String(last)
    },
    startAfter(transactionId) {
      last = Math.max(last, transactionId)
    },
    authCode: () => String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0'), // not a secret
    sessionId: () => `cs_${randomBytes(20).toString('hex')}`,
    traceId: () => randomUUID(),
  }
}

/** Letters and digits that nobody mistakes for another. */
const pairingSigns = 'ACDEFGHJKMNPQRTUVWXY34679'

/** A pairing code that is not in use: 6 characters. assumption: pairing */
export function newPairingCode(isTaken: (code: string) => boolean): string {
  const sign = () => pairingSigns.charAt(randomInt(pairingSigns.length))
  let code = ''
  do code = Array.from({ length: 6 }, sign).join('')
  while (isTaken(code))
  return code
}

/** The stamp of one command. */
export const makeStamp = (identifiers: Identifiers, at: number, setBack: number): Stamp => ({
  at,
  setBack,
  transactionId: identifiers.transactionId(),
  authCode: identifiers.authCode(),
})

/** Hash that is equal for equal requests: 128 bits over operation, requested outcome and body. */
export const fingerprintOf = (operation: string, outcome: string | null, body: string): string =>
  hash('sha256', `${operation} ${outcome ?? ''} ${body}`, 'buffer').toString('base64url', 0, 16)

/** Read access to the sandbox clock. */
export type ReadableClock = Pick<SandboxClock, 'now' | 'wall' | 'state' | 'frozen' | 'offset' | 'speed'>

/**
 * The sandbox clock: starts at the wall clock, can be frozen, set and moved. Business rules use it; header
 * checks use the wall clock, or every client would break. assumption: clocks, wall-clock
 */
export class SandboxClock {
  #state: ClockState

  constructor(
    readonly wall: () => number,
    state: ClockState = noSettings().clock,
  ) {
    this.#state = state
  }

  /** Sandbox time in milliseconds. */
  now(): number {
    return this.at(this.wall())
  }

  /** Sandbox time when the wall clock says `wall`. */
  at(wall: number): number {
    return sandboxTimeAt(this.#state, wall)
  }

  /** Sandbox time less wall-clock time, now. */
  get offset(): number {
    const wall = this.wall()
    return this.at(wall) - wall
  }

  /** How many times as fast as the wall clock it runs, while it is not frozen. */
  get speed(): number {
    return this.#state.speed ?? 1
  }

  get state(): ClockState {
    return this.#state
  }

  get frozen(): boolean {
    return this.#state.frozenAt !== null
  }

  /** Sets the clock to a sandbox time; it stays frozen or running. */
  set(time: number): void {
    this.#goOn(() => time, this.frozen)
  }

  /** Moves the clock ahead by exactly that long; it stays frozen or running. Milliseconds. */
  advance(ms: number): void {
    this.#goOn((now) => now + ms, this.frozen)
  }

  freeze(): void {
    this.#state = { ...this.#state, frozenAt: this.now() }
  }

  /** Lets a frozen clock run on. */
  resume(): void {
    this.#goOn((now) => now, false)
  }

  /** Makes it run that many times as fast as the wall clock, from now on; it stays frozen or running. */
  run(speed: number): void {
    this.#goOn((now) => now, this.frozen, speed)
  }

  /** `timeFrom`: the sandbox time to set, from the present one: the wall clock is read once. */
  #goOn(timeFrom: (now: number) => number, frozen: boolean, speed = this.speed): void {
    const wall = this.wall()
    const time = timeFrom(this.at(wall))
    const pace = speed === 1 ? {} : { speed, from: wall }
    this.#state = { offset: time - wall, frozenAt: frozen ? time : null, ...pace }
  }

  /** Takes over the offset, and whether the clock is frozen, from a stored state. */
  follow(state: ClockState): void {
    this.#state = state
  }

  /** Returns to the wall clock. */
  reset(): void {
    this.#state = noSettings().clock
  }
}
