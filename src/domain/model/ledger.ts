import * as v from 'valibot'
import { limits } from '../../contract/headers.ts'
import { amendingNames } from '../../contract/operations.ts'
import type { ApplicationProfile, Catalogue, MerchantProfile } from '../fixtures.ts'
import * as kind from './kinds.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { type TerminalProfile, terminalProfile } from './terminal-profile.ts'
import type { Transaction } from './transaction.ts'
import { Transactions } from './transactions.ts'

export const terminalSchema = v.pipe(
  v.strictObject({
    terminalSn: kind.name,
    profile: terminalProfile,
    /** True until its settings are changed: a restart then applies current fixtures. assumption: fixtures */
    asGiven: kind.maybe(kind.flag),
    /** Transactions in line; the terminal shows the first one. */
    line: v.array(kind.id),
    /** Outcomes for its next transactions. */
    queue: v.array(v.strictObject({ outcome: kind.name, times: kind.count })),
    /** The last transaction that left it. */
    last: kind.orNull(kind.id),
    /** Number of the last batch. */
    batchNo: kind.count,
    /** Number of the last voucher. */
    voucherNo: kind.sixDigits,
    /** When it was registered on first sight; null for one of the fixture. */
    registeredAt: kind.orNull(kind.epochMs),
  }),
  v.check((one) => one.profile.terminalSn === one.terminalSn, 'its profile is of another terminal'),
)
/** A terminal: its settings, its line, and its queued outcomes. */
export type Terminal = v.InferOutput<typeof terminalSchema>

export const pairingCode = v.pipe(v.string(), v.regex(/^[0-9A-Z]{6}$/, 'must be a pairing code'))

/** `code`: as shown on its screen. */
export const unpairedSchema = v.strictObject({ profile: terminalProfile, code: pairingCode })
/** A terminal that belongs to no merchant until it is paired by its code. assumption: pairing */
export type UnpairedTerminal = Readonly<v.InferOutput<typeof unpairedSchema>>

export const batchSchema = v.strictObject({
  batchNo: kind.count,
  terminalSn: kind.name,
  channelCode: kind.name,
  currency: kind.currency,
  /** When the first counted transaction joined. */
  openedAt: kind.epochMs,
  count: kind.count,
  net: kind.balance,
  tip: kind.balance,
  surcharge: kind.balance,
  tax: kind.balance,
})
/** A batch of one terminal, channel and currency. Amounts in minor units. */
export type Batch = v.InferOutput<typeof batchSchema>

export const closeSchema = v.strictObject({
  transactionRequestId: kind.name,
  /** Equal for repetitions of the same request. */
  fingerprint: kind.text,
  closedAt: kind.epochMs,
  batches: kind.listOf(batchSchema),
})
/** The batches that one request settled, in the order of their terminals. */
export type BatchClose = Readonly<v.InferOutput<typeof closeSchema>>

export const usedIdSchema = v.strictObject({
  transactionRequestId: kind.name,
  fingerprint: kind.text,
  operation: v.picklist(amendingNames),
  /** The transaction that the request changed. */
  transactionId: kind.id,
})
/** The request that used a transactionRequestId without opening or closing anything. */
export type UsedId = Readonly<v.InferOutput<typeof usedIdSchema>>

/** Settings for all merchants of a sandbox, where the specification is silent. */
export interface RuleSettings {
  /** Milliseconds a screen of an automatic terminal that has no pace of its own. */
  readonly pace: number
  /** Where results are sent when the request does not say; null: nowhere. */
  readonly notifyUrl: string | null
  /** How long an authorisation can be raised and captured, in milliseconds. assumption: auth-validity */
  readonly authValidity: number
  /** Largest tip of a capture, in percent of its order amount. assumption: capture-limits */
  readonly captureTip: number
  /**
   * How far tax and surcharge of a capture may exceed the authorised amounts, in percent of the authorised
   * total. assumption: capture-limits
   */
  readonly captureExcess: number
  /**
   * Time of the merchant's day, `HH:mm`, at which open batches are closed; null: never.
   * assumption: batch-close
   */
  readonly autoClose: string | null
}

/** The settings of a sandbox that was started without options. */
export const usualRules: RuleSettings = {
  pace: 0,
  notifyUrl: null,
  authValidity: limits.authValidity,
  captureTip: limits.captureTip,
  captureExcess: limits.captureExcess,
  autoClose: null,
}

/** Settings of a merchant, which no event changes. */
export interface MerchantSettings extends RuleSettings {
  readonly appId: string
  readonly merchantId: string
  readonly timeZone: string
  readonly reserve: number
  /** Accepted currencies; null: all. */
  readonly currencies: readonly string[] | null
}

/** All data of one merchant. Nothing in it refers to another merchant. */
export interface Ledger {
  /** The sandbox's; not stored. */
  readonly catalogue: Catalogue
  readonly settings: MerchantSettings
  /** When the merchant was registered on first sight; null for one of the fixture. */
  registeredAt: number | null
  /** The name given when it was added; null for a merchant of the fixture, or without a name. */
  name: string | null
  /** Number of the last applied entry. */
  sequence: number
  /** Number of the last system trace number. */
  lastStan: number
  readonly transactions: Transactions
  readonly terminals: Map<string, Terminal>
  /** Removed terminals: a new one with the same serial number continues their numbering. */
  readonly removed: Map<string, Terminal>
  /** Terminals added without a merchant, or unpaired from this one; perhaps paired again: `unpairedIn`. */
  readonly unpaired: Map<string, UnpairedTerminal>
  /** Pairing code of a terminal → its serial number: no code is used twice. */
  readonly pairedCodes: Map<string, string>
  /** Open batches by `batchKey`. */
  readonly batches: Map<string, Batch>
  /** Batch closes by transactionRequestId, in their order. */
  readonly closes: Map<string, BatchClose>
  /** Requests that opened or closed nothing, by transactionRequestId. */
  readonly usedIds: Map<string, UsedId>
  /** Notifications for the merchant. */
  readonly outbox: Outbox
  /** Payments less refunds less pay-outs, by currency. */
  readonly balances: Map<string, number>
  /** Refunds in flight, by currency. */
  readonly holds: Map<string, number>
}

/** An empty ledger with the terminals of the merchant's fixture. */
export function createLedger(
  catalogue: Catalogue,
  application: Pick<ApplicationProfile, 'appId'>,
  { merchantId, timeZone, reserve, currencies = null, terminals }: MerchantProfile,
  { pace, notifyUrl, authValidity, captureTip, captureExcess, autoClose }: RuleSettings,
): Ledger {
  const rules = { pace, notifyUrl, authValidity, captureTip, captureExcess, autoClose }
  return {
    catalogue,
    settings: { appId: application.appId, merchantId, timeZone, reserve, currencies, ...rules },
    registeredAt: null,
    name: null,
    sequence: 0,
    lastStan: 0,
    transactions: new Transactions(),
    terminals: new Map(
      terminals.map((profile) => [profile.terminalSn, { ...createTerminal(profile), asGiven: true }]),
    ),
    removed: new Map(),
    unpaired: new Map(),
    pairedCodes: new Map(),
    batches: new Map(),
    closes: new Map(),
    usedIds: new Map(),
    outbox: createOutbox(),
    balances: new Map(),
    holds: new Map(),
  }
}

/** The terminal of a transaction, while it runs on one. */
export const terminalOf = (ledger: Ledger, { inCloud, terminalSn }: Transaction): Terminal | undefined =>
  inCloud || terminalSn === null ? undefined : ledger.terminals.get(terminalSn)

/** An idle terminal. */
export const createTerminal = (profile: TerminalProfile, registeredAt: number | null = null): Terminal => ({
  terminalSn: profile.terminalSn,
  profile,
  line: [],
  queue: [],
  last: null,
  batchNo: 0,
  voucherNo: 0,
  registeredAt,
})

/**
 * A terminal for the ledger; a terminal that was removed before continues its numbers.
 * assumption: terminal-identity
 */
export function newTerminal(
  { removed }: Pick<Ledger, 'removed'>,
  profile: TerminalProfile,
  registeredAt: number | null = null,
): Terminal {
  const { batchNo = 0, voucherNo = 0 } = removed.get(profile.terminalSn) ?? {}
  return { ...createTerminal(profile, registeredAt), batchNo, voucherNo }
}

/** Adds a new terminal. */
export function enterTerminal(ledger: Ledger, terminal: Terminal): Terminal {
  ledger.removed.delete(terminal.terminalSn)
  ledger.unpaired.delete(terminal.terminalSn)
  ledger.terminals.set(terminal.terminalSn, terminal)
  return terminal
}

/** Removes a terminal; its numbering is kept. */
export function dropTerminal({ terminals, removed, unpaired }: Ledger, terminalSn: string): void {
  unpaired.delete(terminalSn)
  const terminal = terminals.get(terminalSn)
  if (terminal === undefined) return
  terminals.delete(terminalSn)
  removed.set(terminalSn, terminal)
}

/** Default profile of an unknown terminal. assumption: parties */
export const plainTerminal = (terminalSn: string): TerminalProfile => ({
  terminalSn,
  summary: 'registered on first sight; auto-approves',
  mode: 'auto',
})

/** Key of an open batch. One per terminal, channel and currency. assumption: batches */
export const batchKey = (terminalSn: string, channelCode: string, currency: string): string =>
  `${terminalSn}|${channelCode}|${currency}`
