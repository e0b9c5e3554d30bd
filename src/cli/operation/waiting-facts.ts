/** What an open payment waits for, and how to continue it. */
export interface WaitingFacts {
  /** In words: `a person at TBX-ATTENDED-001`. */
  readonly what: string
  /** The host is asked: an abort is too late. */
  readonly isWithHost?: boolean | undefined
  /** The person has just read that. */
  readonly wasShown?: boolean | undefined
  /** Page on which a person goes on with it. */
  readonly page?: string | undefined
  /** Command that goes on with it, or with the payment before it. */
  readonly act?: string | undefined
}
