/**
 * Webhook faults that hit a share of the notifications, 0 to 1, in drawing order: by the member that has the share, the
 * fault's kind and what happens to a notification. assumption: webhook-faults
 */
export const faultShares = {
  drop: { kind: 'drop', does: 'never sent' },
  duplicate: { kind: 'duplicate', does: 'sent twice, with the same id' },
  badSignature: { kind: 'bad-signature', does: 'signed with another secret' },
  stale: { kind: 'stale', does: 'sent with a timestamp of an hour ago' },
} as const satisfies Readonly<Record<string, { readonly kind: string; readonly does: string }>>

/** The member that has the share of a fault. */
export type FaultShare = keyof typeof faultShares

/** Kinds of faults that can hit an attempt to deliver a webhook. */
export type WebhookKind = (typeof faultShares)[FaultShare]['kind']

/** The members in the order in which their faults are drawn. */
export const shareMembers = Object.keys(faultShares) as readonly FaultShare[]

/** A record with a value for each of the members. */
export const forEachShare = <T>(make: (name: FaultShare) => T): Record<FaultShare, T> =>
  Object.fromEntries(shareMembers.map((name) => [name, make(name)])) as Record<FaultShare, T>
