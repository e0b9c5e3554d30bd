/** States of a hosted payment session. */
export const sessionStates = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const
export type SessionState = (typeof sessionStates)[number]

/** A change of a session's state. `from` null: it opens the session. `why`: what causes it, in words. */
interface SessionChange {
  readonly from: SessionState | null
  readonly to: SessionState
  readonly why: string
}

/**
 * Every change of a session's state; the reference's diagram is drawn from it. assumption: three-tries, session-expiry
 */
export const sessionChanges: readonly SessionChange[] = [
  { from: null, to: 'open', why: 'create-session' },
  { from: 'open', to: 'processing', why: 'a card is entered' },
  { from: 'processing', to: 'open', why: 'declined, and a try is left' },
  { from: 'processing', to: 'paid', why: 'approved by the host' },
  { from: 'processing', to: 'failed', why: 'third try declined, or no answer from the host' },
  { from: 'open', to: 'cancelled', why: 'cancel by the shopper' },
  { from: 'open', to: 'expired', why: 'expiry, or expire-session' },
]
