/** Statuses of a transaction, refunds included. docs/api.md#statuses */
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

/** +1 for a payment, which the merchant earns, −1 for what it pays back, 0 for what moves no money. */
export const moneyDirection: Readonly<Record<TransactionType, 1 | 0 | -1>> = {
  SALE: 1,
  AUTH: 0,
  FORCED_AUTH: 1,
  INCREMENTAL: 0,
  POST_AUTH: 1,
  REFUND: -1,
  VOID: 0,
}

/** Sales and captures: what can be refunded. */
export const paymentTypes = (Object.keys(moneyDirection) as TransactionType[]).filter(
  (type) => moneyDirection[type] === 1,
)

/** What later operations did to a transaction. */
export type RelatedStatus = 'VOIDED' | 'INCREMENTAL' | 'CAPTURE' | 'PART_REFUNDED' | 'REFUNDED'

/** N never settled, U in an open batch, C in a closed batch. */
export type BatchStatus = 'N' | 'U' | 'C'

/** Settlement channels: the acquirer's ways in, each with its own batches. assumption: batches */
export const channels = [
  { channelCode: 'SBX-CARD', channelName: 'Sandbox Cards' },
  { channelCode: 'SBX-EBT', channelName: 'Sandbox EBT' },
  { channelCode: 'SBX-QR', channelName: 'Sandbox QR' },
] as const

/** Code of a settlement channel. */
export type ChannelCode = (typeof channels)[number]['channelCode']
