import * as v from 'valibot'
import { errorTable } from '../contract/errors.ts'
import { amendingNames } from '../contract/operations.ts'
import { terminalEvents } from '../contract/sandbox/webhooks.ts'
import { statusLetters } from '../contract/statuses.ts'
import type { TerminalProfile } from '../fixtures.ts'
import type { LedgerRecord } from './ledger-record.ts'
import {
  amount,
  balance,
  count,
  currency,
  flag,
  id,
  maybe,
  moment,
  mostCounted,
  name,
  nameIn,
  orNull,
  sixDigits,
  text,
  url,
  whole,
} from './model/kinds.ts'
import type {
  Batch,
  BatchClose,
  MerchantSettings,
  Terminal,
  UnpairedTerminal,
  UsedId,
} from './model/ledger.ts'
import { batchKey } from './model/ledger.ts'
import type { Delivery } from './model/outbox.ts'
import { transactionSchema } from './model/transaction.ts'
import type { RequestMark, State } from './state.ts'

/**
 * The schema of each stored record. A state folder belongs to this sandbox, and checksums protect it; a snapshot may
 * come from anybody, so its records are checked.
 */

/** A record with exactly the members of T. The compiler requires every one. */
const recordOf =
  <T>() =>
  <const E extends { readonly [K in keyof T]-?: v.GenericSchema<unknown, T[K]> }>(entries: E) =>
    v.strictObject(entries)

const profile = recordOf<TerminalProfile>()({
  terminalSn: name,
  summary: text,
  label: maybe(text),
  mode: v.picklist(['auto', 'attended']),
  online: maybe(flag),
  busy: maybe(v.picklist(['queue', 'reject'])),
  occupied: maybe(flag),
  pace: maybe(count),
  outcome: maybe(text),
  cancels: maybe(flag),
  tipPercent: maybe(whole(0, 100)),
  contactlessLimit: maybe(amount),
  card: maybe(text),
})

const terminal = v.pipe(
  recordOf<Terminal>()({
    terminalSn: name,
    profile,
    asGiven: maybe(flag),
    line: v.array(id),
    queue: v.array(v.strictObject({ outcome: name, times: count })),
    last: orNull(id),
    batchNo: count,
    voucherNo: sixDigits,
    registeredAt: orNull(moment),
  }),
  v.check((one) => one.profile.terminalSn === one.terminalSn, 'its profile is of another terminal'),
)

const pairingCode = v.pipe(v.string(), v.regex(/^[0-9A-Z]{6}$/, 'must be a pairing code'))

const unpaired = recordOf<UnpairedTerminal>()({ profile, code: pairingCode })

const batch = recordOf<Batch>()({
  batchNo: count,
  terminalSn: name,
  channelCode: name,
  currency,
  openedAt: moment,
  count,
  net: balance,
  tip: balance,
  surcharge: balance,
  tax: balance,
})

/** The settings of the current start apply: only the two names are read. */
const settings = v.strictObject({
  appId: name,
  merchantId: name,
  timeZone: maybe(text),
  reserve: maybe(balance),
  currencies: v.nullish(v.array(text)),
  pace: maybe(count),
  notifyUrl: v.nullish(text),
  authValidity: maybe(count),
  captureTip: maybe(count),
  captureExcess: maybe(count),
  autoClose: v.nullish(text),
} satisfies Readonly<Record<keyof MerchantSettings, v.GenericSchema>>)

const byCurrency = <const S extends v.GenericSchema>(value: S) => v.array(v.strictTuple([currency, value]))

const isUnlike = (names: readonly string[]): boolean => new Set(names).size === names.length

const ledger = v.pipe(
  v.strictObject({
    settings,
    sequence: count,
    registeredAt: orNull(moment),
    name: orNull(text),
    lastStan: sixDigits,
    lastDelivery: count,
    terminals: v.array(terminal),
    removed: v.array(terminal),
    unpaired: v.array(unpaired),
    pairedCodes: v.array(v.strictTuple([pairingCode, name])),
    batches: v.array(v.strictTuple([text, batch])),
    balances: byCurrency(balance),
    holds: byCurrency(amount),
  } satisfies Readonly<Record<keyof LedgerRecord, v.GenericSchema>>),
  v.check(
    ({ terminals, removed }) => isUnlike([...terminals, ...removed].map(({ terminalSn }) => terminalSn)),
    'it has a terminal twice',
  ),
  v.check(
    ({ batches }) =>
      isUnlike(batches.map(([key]) => key)) &&
      batches.every(
        ([key, { terminalSn, channelCode, currency: code }]) =>
          key === batchKey(terminalSn, channelCode, code),
      ),
    'its batches are not under their own names',
  ),
)

/** The schemas of records, by their names in a state file. */
export const recordSchemas = {
  ledger,
  settings,
  terminal,
  unpaired,
  batch,
  transaction: transactionSchema,
  close: recordOf<BatchClose>()({
    transactionRequestId: name,
    fingerprint: text,
    closedAt: moment,
    batches: v.array(batch),
  }),
  usedId: recordOf<UsedId>()({
    transactionRequestId: name,
    fingerprint: text,
    operation: v.picklist(amendingNames),
    transactionId: id,
  }),
  delivery: recordOf<Delivery>()({
    number: whole(1, mostCounted),
    transactionId: id,
    event: orNull(v.picklist(terminalEvents)),
    url,
    listener: maybe(name),
    createdAt: moment,
    status: nameIn(statusLetters),
    tip: amount,
    round: maybe(count),
    attempts: count,
    earlier: maybe(count),
    nextAt: orNull(moment),
    last: orNull(v.union([count, text])),
    fault: orNull(text),
    delivered: flag,
  }),
  request: recordOf<RequestMark>()({
    key: name,
    at: moment,
    fingerprint: text,
    transactionId: maybe(id),
    refusal: maybe(
      v.strictObject({
        code: nameIn(errorTable),
        field: maybe(text),
        message: maybe(text),
        detail: maybe(text),
        remedy: maybe(text),
      }),
    ),
  }),
  order: recordOf<State['journalOrder']>()({
    latest: count,
    setBack: count,
    removed: maybe(v.strictObject({ sequence: count, delivery: count })),
  }),
  end: count,
} as const
