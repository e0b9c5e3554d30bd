/**
 * Webhook faults that are drawn for each attempt, in drawing order: what happens to a notification, and what
 * of an attempt that changes. Add new rows at the end: the order decides what a seed draws. assumption:
 * webhook-faults
 */
export const attemptFaults = {
  drop: { does: 'never sent', changes: 'sending' },
  duplicate: { does: 'sent twice, with the same id', changes: 'sending' },
  'bad-signature': { does: 'signed with another secret', changes: 'signature' },
  stale: { does: 'sent with a timestamp of an hour ago', changes: 'signature' },
  'other-json': {
    does: 'formatted as another JSON library formats it, with a valid signature',
    changes: 'body',
  },
} as const satisfies Readonly<Record<string, { does: string; changes: Changes }>>

type Changes = 'sending' | 'signature' | 'body'

export type AttemptFault = keyof typeof attemptFaults

/** The faults that change this of an attempt. */
export type FaultOf<C extends Changes> = {
  [F in AttemptFault]: (typeof attemptFaults)[F]['changes'] extends C ? F : never
}[AttemptFault]

/** The faults in the order in which they are drawn. */
export const attemptFaultNames = Object.keys(attemptFaults) as readonly AttemptFault[]
