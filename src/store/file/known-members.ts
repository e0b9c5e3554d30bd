import type { Event } from '../../domain/model/events.ts'
import type { Batch, BatchClose, MerchantSettings, Terminal } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { JournalEntry, RequestMark } from '../../domain/state.ts'

/**
 * Every member that this tillbox reads in the state files. What it does not know was written by another version and may
 * matter: it is damage, never left out. The compiler keeps the lists complete.
 */
type Known<T> = { readonly [M in keyof Required<T>]: true }

const step = { type: true, id: true, screen: true, wakeAt: true } as const
const about = { type: true, id: true } as const

const eventMembers: { readonly [T in Event['type']]: Known<Extract<Event, { readonly type: T }>> } = {
  opened: {
    ...about,
    transactionRequestId: true,
    orderId: true,
    kind: true,
    fingerprint: true,
    currency: true,
    order: true,
    tip: true,
    tax: true,
    surcharge: true,
    cashback: true,
    terminalSn: true,
    inCloud: true,
    online: true,
    card: true,
    originalId: true,
    expiresAt: true,
    description: true,
    attach: true,
    notifyUrl: true,
    terminalEventNotifyUrl: true,
    instructions: true,
    stan: true,
    voucherNo: true,
    wakeAt: true,
  },
  'taken-up': step,
  'card-presented': { ...step, card: true, entry: true, outcome: true },
  'insert-asked': step,
  'tip-chosen': { ...step, tipAmount: true },
  'pin-entered': step,
  'pin-wrong': step,
  'host-asked': { ...step, outcome: true, rule: true },
  approved: { ...step, authCode: true, code: true, message: true },
  declined: { ...about, rule: true, outcome: true, code: true, message: true },
  'try-declined': { ...step, code: true, message: true },
  signed: about,
  'signature-skipped': about,
  closed: { ...about, reason: true },
  'abort-too-late': about,
  'tip-adjusted': { ...about, tipAmount: true },
  'merchant-registered': { type: true, appId: true },
  'terminal-set': { type: true, profile: true, wakeAt: true },
  'outcome-queued': { type: true, terminalSn: true, outcome: true, times: true },
  'batch-closed': {
    type: true,
    transactionRequestId: true,
    fingerprint: true,
    terminalSn: true,
    batchNos: true,
  },
  'delivery-attempted': {
    type: true,
    number: true,
    round: true,
    last: true,
    fault: true,
    delivered: true,
    nextAt: true,
  },
  'delivery-again': { type: true, number: true },
  'delivery-posted': { type: true, transactionId: true, event: true, url: true, facts: true },
}

const entryMembers: Known<JournalEntry> = {
  stream: true,
  sequence: true,
  at: true,
  setBack: true,
  request: true,
  events: true,
}

const requestMembers: Known<RequestMark> = {
  key: true,
  at: true,
  fingerprint: true,
  transactionId: true,
  refusal: true,
}

const transactionMembers: Known<Transaction> = {
  id: true,
  transactionRequestId: true,
  orderId: true,
  type: true,
  status: true,
  fingerprint: true,
  currency: true,
  order: true,
  tip: true,
  tax: true,
  surcharge: true,
  cashback: true,
  createdAt: true,
  completedAt: true,
  terminalSn: true,
  inCloud: true,
  originalId: true,
  expiresAt: true,
  description: true,
  attach: true,
  notifyUrl: true,
  terminalEventNotifyUrl: true,
  instructions: true,
  stan: true,
  voucherNo: true,
  authCode: true,
  card: true,
  entry: true,
  resultCode: true,
  resultMsg: true,
  outcome: true,
  rule: true,
  screen: true,
  wakeAt: true,
  batchNo: true,
  followUps: true,
  online: true,
  timeline: true,
  setBack: true,
}

const deliveryMembers: Known<Delivery> = {
  number: true,
  transactionId: true,
  event: true,
  url: true,
  createdAt: true,
  status: true,
  tip: true,
  round: true,
  attempts: true,
  nextAt: true,
  last: true,
  fault: true,
  delivered: true,
}

const closeMembers: Known<BatchClose> = {
  transactionRequestId: true,
  fingerprint: true,
  terminalSn: true,
  closedAt: true,
  batches: true,
}

const settingsMembers: Known<MerchantSettings> = {
  appId: true,
  merchantId: true,
  timeZone: true,
  reserve: true,
  pace: true,
  notifyUrl: true,
}

const terminalMembers: Known<Terminal> = {
  terminalSn: true,
  profile: true,
  line: true,
  queue: true,
  last: true,
  batchNo: true,
  voucherNo: true,
  registeredAt: true,
}

const batchMembers: Known<Batch> = {
  batchNo: true,
  terminalSn: true,
  channelCode: true,
  currency: true,
  openedAt: true,
  count: true,
  net: true,
  tip: true,
  surcharge: true,
  tax: true,
}

/** Things that stand in the state files, by what they are called there. */
const members = {
  request: requestMembers,
  transaction: transactionMembers,
  delivery: deliveryMembers,
  close: closeMembers,
  settings: settingsMembers,
  terminal: terminalMembers,
  batch: batchMembers,
} as const

/** What is not known of a thing of the state files, in words; undefined when all of it is known. */
export const unknownIn = (what: keyof typeof members, value: object): string | undefined =>
  firstUnknown(value, members[what], what)

/** What is not known of a journal entry, in words; undefined when all of it is known. */
export function unknownInEntry(entry: JournalEntry): string | undefined {
  const unknown = firstUnknown(entry, entryMembers, 'entry', checksumMember)
  if (unknown !== undefined) return unknown
  for (const event of entry.events) {
    const known = Object.hasOwn(eventMembers, event.type) ? eventMembers[event.type] : undefined
    if (known === undefined) return `the event type ${JSON.stringify(event.type)} is unknown`
    const odd = firstUnknown(event, known, `event ${event.type}`)
    if (odd !== undefined) return odd
  }
  return entry.request && unknownIn('request', entry.request)
}

const checksumMember = 'crc'

function firstUnknown(value: object, known: object, what: string, also?: string): string | undefined {
  for (const member in value)
    if (member !== also && (known as Record<string, unknown>)[member] !== true)
      return `the member ${JSON.stringify(member)} of ${what} is unknown`
  return undefined
}
