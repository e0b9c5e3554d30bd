import type { Event } from '../../../domain/model/events.ts'
import type {
  Batch,
  BatchClose,
  MerchantSettings,
  Terminal,
  UnpairedTerminal,
  UsedId,
} from '../../../domain/model/ledger.ts'
import type { Delivery } from '../../../domain/model/outbox.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import type { JournalEntry, RequestMark } from '../../../domain/state.ts'

/**
 * Every member of the state files that this tillbox reads. An unknown member was written by another version and may
 * matter, so it counts as damage and is never dropped. The compiler keeps the lists complete.
 */

type WordsOf<T extends string, W = never> = T extends `${infer First} ${infer Rest}`
  ? WordsOf<Rest, W | First>
  : W | T

/** The names of all members of T; the compiler rejects missing and unknown names. */
export const knownMembersOf =
  <T>() =>
  <const N extends readonly string[]>(
    ...names: [WordsOf<N[number]>, keyof T] extends [keyof T, WordsOf<N[number]>] ? N : never
  ): ReadonlySet<string> =>
    new Set(names.flatMap((some) => some.split(' ')))

type EventOf<T extends Event['type']> = Extract<Event, { readonly type: T }>

const eventMembers: { readonly [T in Event['type']]: ReadonlySet<string> } = {
  opened: knownMembersOf<EventOf<'opened'>>()(
    'type id transactionRequestId orderId kind fingerprint currency order tip tax surcharge cashback terminalSn',
    'inCloud online card originalId expiresAt description attach notifyUrl terminalEventNotifyUrl instructions',
    'stan voucherNo wakeAt announcedAtOnce',
  ),
  'taken-up': knownMembersOf<EventOf<'taken-up'>>()('type id screen wakeAt'),
  'card-presented': knownMembersOf<EventOf<'card-presented'>>()(
    'type id screen wakeAt card entry outcome wallet',
  ),
  'insert-asked': knownMembersOf<EventOf<'insert-asked'>>()('type id screen wakeAt'),
  'tip-chosen': knownMembersOf<EventOf<'tip-chosen'>>()('type id screen wakeAt tipAmount'),
  'pin-entered': knownMembersOf<EventOf<'pin-entered'>>()('type id screen wakeAt'),
  'pin-wrong': knownMembersOf<EventOf<'pin-wrong'>>()('type id screen wakeAt'),
  'host-asked': knownMembersOf<EventOf<'host-asked'>>()('type id screen wakeAt outcome rule'),
  approved: knownMembersOf<EventOf<'approved'>>()('type id screen wakeAt authCode code message channel'),
  declined: knownMembersOf<EventOf<'declined'>>()('type id rule outcome code message'),
  'try-declined': knownMembersOf<EventOf<'try-declined'>>()('type id screen wakeAt code message'),
  signed: knownMembersOf<EventOf<'signed'>>()('type id'),
  'signature-skipped': knownMembersOf<EventOf<'signature-skipped'>>()('type id'),
  closed: knownMembersOf<EventOf<'closed'>>()('type id reason'),
  'abort-too-late': knownMembersOf<EventOf<'abort-too-late'>>()('type id'),
  'tip-adjusted': knownMembersOf<EventOf<'tip-adjusted'>>()('type id tipAmount'),
  'merchant-registered': knownMembersOf<EventOf<'merchant-registered'>>()('type appId name'),
  'terminal-set': knownMembersOf<EventOf<'terminal-set'>>()('type profile wakeAt'),
  'terminal-removed': knownMembersOf<EventOf<'terminal-removed'>>()('type terminalSn'),
  'terminal-unpaired': knownMembersOf<EventOf<'terminal-unpaired'>>()('type profile code'),
  'terminal-paired': knownMembersOf<EventOf<'terminal-paired'>>()('type profile code'),
  'outcome-queued': knownMembersOf<EventOf<'outcome-queued'>>()('type terminalSn outcome times'),
  'batch-closed': knownMembersOf<EventOf<'batch-closed'>>()(
    'type transactionRequestId fingerprint terminalSn batchNos',
  ),
  'id-used': knownMembersOf<EventOf<'id-used'>>()(
    'type transactionRequestId fingerprint operation transactionId',
  ),
  'delivery-attempted': knownMembersOf<EventOf<'delivery-attempted'>>()(
    'type number others round last fault delivered nextAt',
  ),
  'delivery-again': knownMembersOf<EventOf<'delivery-again'>>()('type number'),
  'delivery-posted': knownMembersOf<EventOf<'delivery-posted'>>()('type transactionId event url facts'),
}

const entryMembers = knownMembersOf<JournalEntry & { crc: string }>()(
  'stream sequence at setBack request events crc',
)

/** Records of the state files, by their names there. */
const recordMembers = {
  request: knownMembersOf<RequestMark>()('key at fingerprint transactionId refusal'),
  transaction: knownMembersOf<Transaction>()(
    'id transactionRequestId orderId type status fingerprint currency order tip tax surcharge cashback createdAt',
    'completedAt terminalSn inCloud originalId expiresAt description attach notifyUrl terminalEventNotifyUrl',
    'instructions stan voucherNo authCode card entry resultCode resultMsg outcome rule screen wakeAt batchNo',
    'followUps online timeline setBack announcedAtOnce channel',
  ),
  delivery: knownMembersOf<Delivery>()(
    'number transactionId event url createdAt status tip round attempts earlier nextAt last fault delivered',
  ),
  close: knownMembersOf<BatchClose>()('transactionRequestId fingerprint closedAt batches'),
  settings: knownMembersOf<MerchantSettings>()(
    'appId merchantId timeZone reserve currencies pace notifyUrl authValidity captureTip captureExcess autoClose',
  ),
  usedId: knownMembersOf<UsedId>()('transactionRequestId fingerprint operation transactionId'),
  terminal: knownMembersOf<Terminal>()(
    'terminalSn profile asGiven line queue last batchNo voucherNo registeredAt',
  ),
  unpaired: knownMembersOf<UnpairedTerminal>()('profile code'),
  batch: knownMembersOf<Batch>()(
    'batchNo terminalSn channelCode currency openedAt count net tip surcharge tax',
  ),
} as const

/** Names of records of the state files. */
export type RecordName = keyof typeof recordMembers

/** The unknown member of a record of the state files, in words; undefined when all members are known. */
export const unknownIn = (name: RecordName, value: object): string | undefined =>
  firstUnknown(value, recordMembers[name], name)

/** The unknown member of a journal entry, in words; undefined when all members are known. */
export function unknownInEntry(entry: JournalEntry): string | undefined {
  const unknown = firstUnknown(entry, entryMembers, 'entry')
  if (unknown !== undefined) return unknown
  for (const event of entry.events) {
    const known = Object.hasOwn(eventMembers, event.type) ? eventMembers[event.type] : undefined
    if (known === undefined) return `the event type ${JSON.stringify(event.type)} is unknown`
    const odd = firstUnknown(event, known, `event ${event.type}`)
    if (odd !== undefined) return odd
  }
  return entry.request && unknownIn('request', entry.request)
}

/** The first unknown member of a value, in words; undefined when all members are known. `name`: of the value. */
export function firstUnknown(value: object, known: ReadonlySet<string>, name: string): string | undefined {
  for (const member in value)
    if (!known.has(member)) return `the member ${JSON.stringify(member)} of ${name} is unknown`
  return undefined
}
