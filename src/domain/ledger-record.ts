import type { Batch, Ledger, MerchantSettings, Terminal, UnpairedTerminal } from './model/ledger.ts'
import { wakeTimeAfterChange } from './screen-flow.ts'
import { ledgerOf, type State } from './state.ts'

/** A ledger without its transactions, closes, used ids and deliveries, as plain data. */
export interface LedgerRecord {
  readonly settings: MerchantSettings
  readonly sequence: number
  readonly registeredAt: number | null
  readonly name: string | null
  readonly lastStan: number
  readonly lastDelivery: number
  readonly terminals: readonly Terminal[]
  readonly removed: readonly Terminal[]
  readonly unpaired: readonly UnpairedTerminal[]
  /** Code and serial number. */
  readonly pairedCodes: readonly (readonly [string, string])[]
  readonly batches: readonly (readonly [string, Batch])[]
  readonly balances: readonly (readonly [string, number])[]
  readonly holds: readonly (readonly [string, number])[]
}

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

/** Adds the ledger of a record to a state. The settings of the current start apply, of the stored ones only the two names. */
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
 * A terminal whose settings were never changed takes those of the current fixtures; a terminal that they lack is kept.
 */
const asFixturesSay = (stored: Terminal, given: Terminal | undefined): Terminal =>
  stored.asGiven && given !== undefined ? { ...stored, profile: given.profile } : stored

/** Payments that wait at a terminal which the current fixtures change act as it does now. assumption: fixtures */
export function followFixtures(ledger: Ledger, { terminals }: LedgerRecord): void {
  for (const { terminalSn, profile } of terminals) {
    const terminal = ledger.terminals.get(terminalSn)
    const first = ledger.transactions.get(terminal?.line[0] ?? '')
    if (terminal === undefined || first === undefined) continue
    const wakeAt = wakeTimeAfterChange(first, profile, terminal.profile, 0)
    if (wakeAt !== null) first.wakeAt = wakeAt
  }
}
