/** Statuses of a transaction, refunds included. docs/api.md#statuses */
export const statuses = ['INITIAL', 'PROCESSING', 'SUCCESS', 'FAIL', 'CLOSED'] as const
export type Status = (typeof statuses)[number]

/** Letters of the statuses on the wire: S is the specification's. public: sdk-values */
export const wireLetters = ['I', 'P', 'S', 'F', 'C'] as const
export type StatusLetter = (typeof wireLetters)[number]

/** Status → letter on the wire. */
export const statusLetters: Readonly<Record<Status, StatusLetter>> = {
  INITIAL: 'I',
  PROCESSING: 'P',
  SUCCESS: 'S',
  FAIL: 'F',
  CLOSED: 'C',
}

/** Letter or word on the wire → status. Undefined for anything else. */
export const parseStatus = (text: string): Status | undefined =>
  statuses.find((status) => status === text || statusLetters[status] === text)

/** Words for the outcome of a transaction, and the statuses of each. assumption: list-filters */
const statusesByWord = {
  approved: ['SUCCESS'],
  declined: ['FAIL'],
  closed: ['CLOSED'],
  pending: ['INITIAL', 'PROCESSING'],
} as const satisfies Readonly<Record<string, readonly Status[]>>

/** `approved`, `declined`, `closed` or `pending`. */
export type StatusWord = keyof typeof statusesByWord

/** Words for statuses, as a person reads them. */
export const statusWords = Object.keys(statusesByWord) as readonly StatusWord[]

/** The word for a status: `approved`, `declined`, `closed` or `pending`. */
export const statusWordOf = (status: Status): StatusWord =>
  statusWords.find((word) => (statusesByWord[word] as readonly Status[]).includes(status)) ?? 'pending'

/**
 * The statuses that a text names: words, statuses and their letters in any case, with commas between them.
 * Undefined if one is unknown.
 */
export function parseStatuses(text: string): readonly Status[] | undefined {
  const parts = text.split(',').map((part) => statusesOfPart(part.trim()))
  return parts.includes(undefined) ? undefined : parts.flatMap((statuses) => statuses ?? [])
}

/** The accepted forms of a status, as the end of a sentence with "must be". */
export const statusForms = `${statusWords.join(', ')}, a status such as SUCCESS, or its letter`

function statusesOfPart(text: string): readonly Status[] | undefined {
  const word = text.toLowerCase()
  const statusWord = statusWords.find((each) => each === word)
  if (statusWord !== undefined) return statusesByWord[statusWord]
  const status = parseStatus(text.toUpperCase())
  return status && [status]
}

const open = ['INITIAL', 'PROCESSING'] as const satisfies readonly Status[]

/** A change of a status or state. `from` null: it opens the transaction or session. `why`: its cause. */
interface Change<From, To> {
  readonly from: From
  readonly to: To
  readonly why: string
}
type StatusChange = Change<readonly (Status | null)[], Status>

/**
 * Every change of status by what causes it: an event of the domain, or the reason of the event `closed`. The
 * rules make no other; the reference and its diagram are drawn from it. assumption: statuses
 */
export const statusChanges = {
  opened: { from: [null], to: 'INITIAL', why: 'request accepted' },
  'taken-up': { from: ['INITIAL'], to: 'PROCESSING', why: 'taken up by the terminal or cloud' },
  approved: { from: ['PROCESSING'], to: 'SUCCESS', why: 'approved by host' },
  declined: { from: ['PROCESSING'], to: 'FAIL', why: 'declined by host' },
  abort: { from: open, to: 'CLOSED', why: 'abort' },
  cancel: { from: open, to: 'CLOSED', why: 'cancel' },
  expiry: { from: open, to: 'CLOSED', why: 'expiry' },
  expired: { from: open, to: 'CLOSED', why: 'expire-session' },
} as const satisfies Readonly<Record<string, StatusChange>>

const changes: readonly StatusChange[] = Object.values(statusChanges)

/** Every status for people, in the order of a transaction's life: what leads to it, and what may follow. */
export const statusRows = () =>
  statuses.map((status) => ({
    status,
    letter: statusLetters[status],
    word: statusWordOf(status),
    after: changes.filter(({ to }) => to === status).map(({ why }) => why),
    next: statuses.filter((next) => changes.some(({ from, to }) => from.includes(status) && to === next)),
  }))

/** SUCCESS, FAIL and CLOSED never change again. */
export const isFinal = (status: Status): boolean => status !== 'INITIAL' && status !== 'PROCESSING'

/** Types of transactions. The specification names REFUND; the others come from the public SDKs. */
export const transactionTypes = [
  'SALE',
  'AUTH',
  'FORCED_AUTH',
  'INCREMENTAL',
  'POST_AUTH',
  'REFUND',
  'VOID',
] as const
export type TransactionType = (typeof transactionTypes)[number]

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

/** True for a type that takes back what another transaction paid, or would have paid: a refund or a void. */
export const takesBack = (type: TransactionType): boolean => moneyDirection[type] < 0 || type === 'VOID'

/** A type as it is typed in a command: `forced-auth`. */
export const typeWordOf = (type: TransactionType): string => type.toLowerCase().replaceAll('_', '-')

/** Types of transaction as they are typed. */
export const typeWords = transactionTypes.map(typeWordOf)

/** Display names of the types. */
export const typeNames: Readonly<Record<TransactionType, string>> = {
  SALE: 'Sale',
  AUTH: 'Auth',
  FORCED_AUTH: 'Forced auth',
  INCREMENTAL: 'Incremental auth',
  POST_AUTH: 'Capture',
  REFUND: 'Refund',
  VOID: 'Void',
}

/** The type that a text names: `post-auth`, `POST_AUTH`, or `capture`. Undefined for anything else. */
export function typeNamed(text: string): TransactionType | undefined {
  const word = text.toLowerCase().replaceAll(/[_ ]/g, '-')
  const typeWord = { capture: 'post-auth', 'incremental-auth': 'incremental' }[word] ?? word
  return transactionTypes.find((type) => typeWordOf(type) === typeWord)
}

/** Types of payments, which can be refunded. */
export const paymentTypes = transactionTypes.filter((type) => moneyDirection[type] === 1)

/** Types that can be voided. docs/api.md#operation-1-7. assumption: voids */
export const voidableTypes: readonly TransactionType[] = [
  'SALE',
  'AUTH',
  'FORCED_AUTH',
  'POST_AUTH',
  'REFUND',
]

/** Effect of later operations on a transaction. */
export const relatedStatuses = ['VOIDED', 'INCREMENTAL', 'CAPTURE', 'PART_REFUNDED', 'REFUNDED'] as const
export type RelatedStatus = (typeof relatedStatuses)[number]

/** N never settled, U in an open batch, C in a closed batch. */
export const batchStatuses = ['N', 'U', 'C'] as const
export type BatchStatus = (typeof batchStatuses)[number]

/** Settlement channels of the acquirer, each with its own batches. assumption: batches */
export const channels = [
  { channelCode: 'SBX-CARD', channelName: 'Sandbox Cards' },
  { channelCode: 'SBX-EBT', channelName: 'Sandbox EBT' },
  { channelCode: 'SBX-QR', channelName: 'Sandbox QR' },
] as const

/** Code of a settlement channel. */
export type ChannelCode = (typeof channels)[number]['channelCode']

/** States of a hosted payment session. */
export const sessionStates = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const
export type SessionState = (typeof sessionStates)[number]

/** Every change of a session's state; the reference's diagram is drawn from it. assumption: checkout */
export const sessionChanges: readonly Change<SessionState | null, SessionState>[] = [
  { from: null, to: 'open', why: 'create-session' },
  { from: 'open', to: 'processing', why: 'a card is entered' },
  { from: 'processing', to: 'open', why: 'declined, and a try is left' },
  { from: 'processing', to: 'paid', why: 'approved by the host' },
  { from: 'processing', to: 'failed', why: 'third try declined, or no answer from the host' },
  { from: 'open', to: 'cancelled', why: 'cancel by the shopper' },
  { from: 'open', to: 'expired', why: 'expiry, or expire-session' },
]
