/** Statuses of a transaction, refunds included. spec: States and transitions */
export type Status = 'INITIAL' | 'PROCESSING' | 'SUCCESS' | 'FAIL' | 'CLOSED'

/** What the service writes for a status: S is the specification's, the others are the public SDKs'. */
export type StatusLetter = 'I' | 'P' | 'S' | 'F' | 'C'

/** Status → letter on the wire. */
export const statusLetters: Readonly<Record<Status, StatusLetter>> = {
  INITIAL: 'I',
  PROCESSING: 'P',
  SUCCESS: 'S',
  FAIL: 'F',
  CLOSED: 'C',
}

const statuses = Object.keys(statusLetters) as readonly Status[]

/** Letter or word on the wire → status. Undefined for anything else. */
export const statusOf = (text: string): Status | undefined =>
  statuses.find((status) => status === text || statusLetters[status] === text)

/** SUCCESS, FAIL and CLOSED never change again. */
export const isFinal = (status: Status): boolean => status !== 'INITIAL' && status !== 'PROCESSING'

/** Kinds of transaction. spec names REFUND; the others are the public SDKs'. */
export type TransactionType =
  | 'SALE'
  | 'AUTH'
  | 'FORCED_AUTH'
  | 'INCREMENTAL'
  | 'POST_AUTH'
  | 'REFUND'
  | 'VOID'

/** What later operations did to a transaction. */
export type RelatedStatus = 'VOIDED' | 'INCREMENTAL' | 'CAPTURE' | 'PART_REFUNDED' | 'REFUNDED'

/** N never settled, U in an open batch, C in a closed batch. */
export type BatchStatus = 'N' | 'U' | 'C'
