import * as v from 'valibot'
import * as kind from './model/kinds.ts'
import {
  batchKey,
  batchSchema,
  type Ledger,
  type MerchantSettings,
  pairingCode,
  type Terminal,
  terminalSchema,
  unpairedSchema,
} from './model/ledger.ts'
import { wakeTimeAfterChange } from './screen-flow.ts'
import { ledgerOf, type State } from './state.ts'

/** The settings of the current start apply: only the two names are read. */
const settings = v.strictObject({
  appId: kind.name,
  merchantId: kind.name,
  timeZone: kind.maybe(kind.text),
  reserve: kind.maybe(kind.balance),
  currencies: v.nullish(kind.listOf(kind.text)),
  pace: kind.maybe(kind.count),
  notifyUrl: v.nullish(kind.text),
  authValidity: kind.maybe(kind.count),
  captureTip: kind.maybe(kind.count),
  captureExcess: kind.maybe(kind.count),
  autoClose: v.nullish(kind.text),
} satisfies Readonly<Record<keyof MerchantSettings, v.GenericSchema>>)

const byCurrency = <const S extends v.GenericSchema>(value: S) =>
  v.array(v.strictTuple([kind.currency, value]))

const isUnlike = (names: readonly string[]): boolean => new Set(names).size === names.length

export const ledgerSchema = v.pipe(
  v.strictObject({
    settings,
    sequence: kind.count,
    registeredAt: kind.orNull(kind.epochMs),
    name: kind.orNull(kind.text),
    lastStan: kind.sixDigits,
    lastDelivery: kind.count,
    terminals: v.array(terminalSchema),
    removed: v.array(terminalSchema),
    unpaired: v.array(unpairedSchema),
    /** Code and serial number. */
    pairedCodes: v.array(v.strictTuple([pairingCode, kind.name])),
    batches: v.array(v.strictTuple([kind.text, batchSchema])),
    balances: byCurrency(kind.balance),
    holds: byCurrency(kind.amount),
  }),
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
/** A ledger without its transactions, closes, used ids and deliveries, as plain data. */
export type LedgerRecord = Readonly<v.InferOutput<typeof ledgerSchema>>

/** The record of a ledger. */
export const ledgerRecordOf = (ledger: Ledger): LedgerRecord => ({
  settings: ledger.settings,
  sequence: ledger.sequence,
  registeredAt: ledger.registeredAt,
  name: ledger.name,
  lastStan: ledger.lastStan,
  lastDelivery: ledger.outbox.lastNumber,
  terminals: [...ledger.terminals.values()],
  removed: [...ledger.removed.values()],
  unpaired: [...ledger.unpaired.values()],
  pairedCodes: [...ledger.pairedCodes],
  batches: [...ledger.batches],
  balances: [...ledger.balances],
  holds: [...ledger.holds],
})

/** Adds a record's ledger to a state; its settings are the start's, but for `appId` and `merchantId`. */
export function restoreLedger(state: State, record: LedgerRecord): Ledger {
  const { settings, terminals, removed, unpaired } = record
  const ledger = ledgerOf(state, settings.appId, settings.merchantId)
  state.ledgers.set(settings.merchantId, ledger)
  const { sequence, registeredAt, name, lastStan } = record
  Object.assign(ledger, { sequence, registeredAt, name, lastStan })
  ledger.outbox.lastNumber = record.lastDelivery
  for (const terminal of terminals)
    ledger.terminals.set(
      terminal.terminalSn,
      asFixturesSay(terminal, ledger.terminals.get(terminal.terminalSn)),
    )
  for (const terminal of removed) {
    ledger.terminals.delete(terminal.terminalSn) // the fixtures may contain it
    ledger.removed.set(terminal.terminalSn, terminal)
  }
  for (const terminal of unpaired) {
    ledger.terminals.delete(terminal.profile.terminalSn) // the fixtures may contain it
    ledger.unpaired.set(terminal.profile.terminalSn, terminal)
  }
  fill(ledger.pairedCodes, record.pairedCodes)
  fill(ledger.batches, record.batches)
  fill(ledger.balances, record.balances)
  fill(ledger.holds, record.holds)
  return ledger
}

function fill<V>(map: Map<string, V>, entries: readonly (readonly [string, V])[]): void {
  for (const [key, value] of entries) map.set(key, value)
}

/**
 * A terminal whose settings were never changed takes those of the current fixtures; a terminal that they lack
 * is kept.
 */
const asFixturesSay = (stored: Terminal, fixture: Terminal | undefined): Terminal =>
  stored.asGiven && fixture !== undefined ? { ...stored, profile: fixture.profile } : stored

/** Payments waiting at a terminal that current fixtures change act as it does now. assumption: fixtures */
export function followFixtures(ledger: Ledger, { terminals }: LedgerRecord): void {
  for (const { terminalSn, profile } of terminals) {
    const terminal = ledger.terminals.get(terminalSn)
    const first = ledger.transactions.get(terminal?.line[0] ?? '')
    if (terminal === undefined || first === undefined) continue
    const wakeAt = wakeTimeAfterChange(first, profile, terminal.profile, 0)
    if (wakeAt !== null) first.wakeAt = wakeAt
  }
}
