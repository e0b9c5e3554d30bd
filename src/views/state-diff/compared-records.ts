import type {
  ChangedBatch,
  ChangedTerminal,
  ChangedTransaction,
  ChangedWebhook,
} from '../../contract/sandbox/checkpoint-answers.ts'
import type { Batch, Ledger } from '../../domain/model/ledger.ts'
import { deliveryState } from '../../domain/model/outbox.ts'
import { sumOf } from '../../domain/model/parts.ts'
import { batchStatusOf } from '../../domain/model/totals.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { relatedStatusOf } from '../../domain/original-effects.ts'
import type { State } from '../../domain/state.ts'
import { deliveryViewOf } from '../../webhooks/deliveries.ts'
import type { ComparedRecord } from './compared-members.ts'

type Identity<T> = Omit<T, 'change' | 'changes'>
type Records<T> = Map<string, ComparedRecord<Identity<T>>>

/** The transactions of a state by merchant and id. */
export function comparedTransactions({ ledgers }: State): Records<ChangedTransaction> {
  const records: Records<ChangedTransaction> = new Map()
  for (const ledger of ledgers.values())
    for (const transaction of ledger.transactions)
      records.set(`${ledger.settings.merchantId} ${transaction.id}`, transactionRecord(ledger, transaction))
  return records
}

function transactionRecord(
  ledger: Ledger,
  transaction: Transaction,
): ComparedRecord<Identity<ChangedTransaction>> {
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
      increments: sumOf(followUps?.raised),
      refunded: sumOf(followUps?.refunded),
      batchNo: transaction.batchNo,
      batchStatus: batchStatusOf(ledger, transaction),
    },
  }
}

/** The batches of a state, open and closed. */
export function batchesOf({ ledgers }: State): Records<ChangedBatch> {
  const records: Records<ChangedBatch> = new Map()
  for (const { settings, batches, closes } of ledgers.values()) {
    const enter = (batch: Batch, status: 'open' | 'closed') => {
      const { terminalSn, batchNo, channelCode: channel, currency, count, net } = batch
      const { tip, surcharge, tax } = batch
      records.set(`${settings.merchantId} ${terminalSn} ${channel} ${currency} ${batchNo}`, {
        identity: {
          merchantId: settings.merchantId,
          terminalSn,
          batchNo,
          channel,
          currency,
          status,
          count,
          net,
        },
        members: { status, count, net, tip, surcharge, tax },
      })
    }
    for (const close of closes.values()) for (const batch of close.batches) enter(batch, 'closed')
    for (const batch of batches.values()) enter(batch, 'open')
  }
  return records
}

/** The terminals of a state with their settings, queued outcomes and waiting payments. */
export function comparedTerminals({ ledgers }: State): Records<ChangedTerminal> {
  const records: Records<ChangedTerminal> = new Map()
  for (const { settings, terminals } of ledgers.values())
    for (const { terminalSn, profile, queue, line } of terminals.values()) {
      const { terminalSn: _, summary: __, ...set } = profile
      records.set(`${settings.merchantId} ${terminalSn}`, {
        identity: { terminalSn, merchantId: settings.merchantId },
        members: {
          ...set,
          queue: queue.map(({ outcome, times }) => `${outcome} × ${times}`).join(', ') || null,
          line: line.join(' ') || null,
        },
      })
    }
  return records
}

/** The deliveries of a state, identified by number, notification and URL. */
export function comparedWebhooks({ ledgers }: State): Records<ChangedWebhook> {
  const records: Records<ChangedWebhook> = new Map()
  for (const ledger of ledgers.values())
    for (const delivery of ledger.outbox.deliveries.values()) {
      const { merchantId } = ledger.settings
      const { id, transactionId, event, url, last, nextAt, attempts, fault } = deliveryViewOf(
        ledger,
        delivery,
      )
      records.set(`${merchantId} ${delivery.number} ${id} ${delivery.url}`, {
        identity: { id, merchantId, transactionId, event, url, state: deliveryState(delivery) },
        members: { state: deliveryState(delivery), attempts, last, fault, nextAt },
      })
    }
  return records
}
