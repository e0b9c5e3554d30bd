/**
 * Webhook faults that hit a share of the notifications, 0 to 1, in drawing order: by the member that has the share, the
 * fault's kind, what happens to a notification, and what of an attempt that changes. Add new rows at the end: the order
 * decides what a seed draws. assumption: webhook-faults
 */
export const faultShares = {
  drop: { kind: 'drop', does: 'never sent', changes: 'sending' },
  duplicate: { kind: 'duplicate', does: 'sent twice, with the same id', changes: 'sending' },
  badSignature: { kind: 'bad-signature', does: 'signed with another secret', changes: 'signature' },
  stale: { kind: 'stale', does: 'sent with a timestamp of an hour ago', changes: 'signature' },
} as const satisfies Readonly<Record<string, ShareRow>>

interface ShareRow {
  readonly kind: string
  readonly does: string
  readonly changes: 'sending' | 'signature'
}

/** The member that has the share of a fault. */
export type FaultShare = keyof typeof faultShares

/** The shares whose faults change this of an attempt. */
export type ShareThatChanges<C extends ShareRow['changes']> = {
  [F in FaultShare]: (typeof faultShares)[F]['changes'] extends C ? F : never
}[FaultShare]

/** Kinds of faults that can hit an attempt to deliver a webhook. */
export type WebhookKind = (typeof faultShares)[FaultShare]['kind']

/** The members in the order in which their faults are drawn. */
export const shareMembers = Object.keys(faultShares) as readonly FaultShare[]

/** A record with a value for each of the members. */
export const forEachShare = <T>(make: (name: FaultShare) => T): Record<FaultShare, T> =>
  Object.fromEntries(shareMembers.map((name) => [name, make(name)])) as Record<FaultShare, T>
