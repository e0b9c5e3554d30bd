import type { FaultRule } from '../../contract/control/fault-list.ts'
import type {
  ChangedBatch,
  ChangedTerminal,
  ChangedTransaction,
  ChangedWebhook,
  MemberChange,
  StateDiff,
} from '../../contract/control/snapshot-answers.ts'
import type { DeliveryOrder } from '../../contract/control/webhook-delivery.ts'
import type { Batch, Ledger } from '../../domain/model/ledger.ts'
import { deliveryState } from '../../domain/model/outbox.ts'
import { totalOrZero } from '../../domain/model/parts.ts'
import { batchStatusOf } from '../../domain/model/totals.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { relatedStatusOf } from '../../domain/original-effects.ts'
import type { ClockState } from '../../domain/settings.ts'
import type { State } from '../../domain/state.ts'
import { unpairedIn } from '../../domain/unpaired-terminals.ts'
import { offsetInWords } from '../../shared/text/duration-words.ts'
import { inTurns } from '../../shared/timers.ts'
import { toDeliveryView } from '../webhooks/deliveries.ts'

/** A state to compare, and the settings saved with it. */
interface ComparedState {
  /** Null for the current state. */
  readonly name: string | null
  readonly state: State
  readonly facts: {
    readonly sandboxTime: string
    readonly transactions: number
    readonly settings: {
      readonly clock: ClockState
      readonly faultRules: readonly FaultRule[]
      readonly webhookOrder: DeliveryOrder | null
      readonly webhookHold: boolean
    }
  }
}

/** Differences of the second state from the first: transactions, batches, terminals, webhooks, others. */
export async function diffStates(from: ComparedState, to: ComparedState): Promise<StateDiff> {
  const differences = {
    transactions: await diffRecords(comparedTransactions(from.state), comparedTransactions(to.state)),
    batches: await diffRecords(comparedBatches(from.state), comparedBatches(to.state)),
    terminals: await diffRecords(comparedTerminals(from.state), comparedTerminals(to.state)),
    webhooks: await diffRecords(comparedWebhooks(from.state), comparedWebhooks(to.state)),
    settings: changesBetween(comparedSettings(from), comparedSettings(to)),
  }
  const same = Object.values(differences).every((list) => list.length === 0)
  return { from: stateSummary(from), to: stateSummary(to), same, ...differences }
}

const stateSummary = ({ name, facts: { sandboxTime, transactions } }: ComparedState): StateDiff['from'] => ({
  name,
  sandboxTime,
  transactions,
})

function comparedSettings({ facts: { settings } }: ComparedState): Record<string, MemberChange['to']> {
  const { clock, faultRules, webhookOrder, webhookHold } = settings
  const faults = faultRules.map(({ id, kind, used }) => `${id} ${kind} (used ${used})`)
  return {
    clock:
      clock.frozenAt === null
        ? offsetInWords(clock.offset, clock.speed)
        : `frozen at ${new Date(clock.frozenAt).toISOString()}`,
    faults: faults.join(', ') || null,
    webhooks: webhookHold ? 'held' : 'sent',
    webhookOrder: webhookOrder && `${webhookOrder.order}${atOnce(webhookOrder)}`,
  }
}

const atOnce = ({ order, concurrency }: DeliveryOrder): string =>
  order === 'concurrent' ? `, ${concurrency} at once` : ''

type Identity<T> = Omit<T, 'change' | 'changes'>
/** Records with what they are found by. */
type Records<T> = Generator<readonly [key: string, ComparedRecord<Identity<T>>]>

/** The transactions of a state by merchant and id. */
function* comparedTransactions({ ledgers }: State): Records<ChangedTransaction> {
  for (const ledger of ledgers.values())
    for (const transaction of ledger.transactions)
      yield [
        `${ledger.settings.merchantId} ${transaction.id}`,
        transactionRecord(ledger, transaction),
      ] as const
}

function transactionRecord(ledger: Ledger, transaction: Transaction) {
  const { id, type, terminalSn, orderId, status, currency, followUps } = transaction
  const amount = amountOf(transaction)
  return {
    identity: {
      transactionId: id,
      merchantId: ledger.settings.merchantId,
      type,
      terminalSn,
      referenceOrderId: orderId,
      status,
      amount,
      currency,
    },
    members: {
      status,
      amount,
      tip: transaction.tip,
      screen: transaction.screen,
      resultCode: transaction.resultCode,
      relatedTransactionStatus: relatedStatusOf(transaction) ?? null,
      followUps: followUps?.children.join(' ') || null,
      increments: totalOrZero(followUps?.raised),
      refunded: totalOrZero(followUps?.refunded),
      batchNo: transaction.batchNo,
      batchStatus: batchStatusOf(ledger, transaction),
    },
  }
}

/** The batches of a state, open and closed. */
function* comparedBatches({ ledgers }: State): Records<ChangedBatch> {
  for (const { settings, batches, closes } of ledgers.values()) {
    const entry = (batch: Batch, status: 'open' | 'closed') => {
      const { terminalSn, batchNo, channelCode: channel, currency, count, net } = batch
      const { tip, surcharge, tax } = batch
      const { merchantId } = settings
      const identity = { merchantId, terminalSn, batchNo, channel, currency, status, count, net }
      const members = { status, count, net, tip, surcharge, tax }
      return [`${merchantId} ${terminalSn} ${channel} ${currency} ${batchNo}`, { identity, members }] as const
    }
    for (const close of closes.values()) for (const batch of close.batches) yield entry(batch, 'closed')
    for (const batch of batches.values()) yield entry(batch, 'open')
  }
}

/** The terminals of a state with settings, queued outcomes and waiting payments, unpaired ones too. */
function* comparedTerminals({ ledgers }: State): Records<ChangedTerminal> {
  for (const { settings, terminals } of ledgers.values())
    for (const { terminalSn, profile, queue, line } of terminals.values()) {
      const { terminalSn: _, summary: __, ...set } = profile
      const identity = { terminalSn, merchantId: settings.merchantId }
      const queued = queue.map(({ outcome, times }) => `${outcome} × ${times}`).join(', ') || null
      const members = { ...set, queue: queued, line: line.join(' ') || null }
      yield [`${settings.merchantId} ${terminalSn}`, { identity, members }] as const
    }
  for (const { profile, code } of unpairedIn(ledgers)) {
    const { terminalSn, summary: _, ...set } = profile
    const identity = { terminalSn, merchantId: null }
    yield [` ${terminalSn}`, { identity, members: { ...set, pairingCode: code } }] as const
  }
}

/** The deliveries of a state, identified by number, notification and URL. */
function* comparedWebhooks({ ledgers }: State): Records<ChangedWebhook> {
  for (const ledger of ledgers.values())
    for (const delivery of ledger.outbox.deliveries.values()) {
      const { merchantId } = ledger.settings
      const { id, transactionId, event, url, last, nextAt, attempts, fault } = toDeliveryView(
        ledger,
        delivery,
      )
      const state = deliveryState(delivery)
      const identity = { id, merchantId, transactionId, event, url, state }
      const members = { state, attempts, last, fault, nextAt }
      yield [`${merchantId} ${delivery.number} ${id} ${delivery.url}`, { identity, members }] as const
    }
}

/** The compared members of a record; null: absent. */
type ComparedMembers = Readonly<Record<string, MemberChange['to']>>

/** A record of a state: the members that identify it, and those that are compared. */
interface ComparedRecord<I extends object> {
  readonly identity: I
  readonly members: ComparedMembers
}

type ChangedRecord<I extends object> = I & {
  readonly change: 'added' | 'removed' | 'changed'
  readonly changes: MemberChange[]
}

type Keyed<I extends object> = Iterable<readonly [key: string, ComparedRecord<I>]>

/** Records of the second state that differ from the first's, in order; then those of the first alone. */
async function diffRecords<I extends object>(from: Keyed<I>, to: Keyed<I>): Promise<ChangedRecord<I>[]> {
  const found: ChangedRecord<I>[] = []
  const left = new Map<string, ComparedRecord<I>>()
  await inTurns(from, ([key, record]) => left.set(key, record))
  await inTurns(to, ([key, { identity, members }]) => {
    const before = left.get(key)
    left.delete(key)
    const changes = before === undefined ? [] : changesBetween(before.members, members)
    if (before === undefined) found.push({ ...identity, change: 'added', changes })
    else if (changes.length > 0) found.push({ ...identity, change: 'changed', changes })
  })
  for (const { identity } of left.values()) found.push({ ...identity, change: 'removed', changes: [] })
  return found
}

/** Members that differ, in their order. */
function changesBetween(from: ComparedMembers, to: ComparedMembers): MemberChange[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((member) => {
    const [before, after] = [from[member] ?? null, to[member] ?? null]
    return before === after ? [] : [{ member, from: before, to: after }]
  })
}
