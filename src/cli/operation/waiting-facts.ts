import { hint } from '../hints/same-sandbox.ts'

/** What an open payment waits for, and what can be done about it. */
export interface WaitingFacts {
  /** In words: `a person at TBX-ATTENDED-001`. */
  readonly what: string
  /** Page on which a person goes on with it. */
  readonly page?: string | undefined
  /** Command that goes on with it, or with the payment before it. */
  readonly act?: string | undefined
}

/** The facts as names and values; none where there are none. */
export const waitingLines = (facts: WaitingFacts | undefined): (readonly [name: string, value: string])[] =>
  Object.entries({ 'waits for': facts?.what, page: facts?.page, act: facts?.act && hint(facts.act) }).flatMap(
    ([name, value]) => (value ? [[name, value] as const] : []),
  )
