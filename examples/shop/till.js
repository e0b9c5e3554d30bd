import { LostAnswer } from 'tillbox'
import { addTransaction, charges, latestOf, note, noteNothing, pendingOf, stateOf } from './orders.js'
import { codes, isFinal, isRefused } from './service.js'

/** An order is not in the state that a request needs. */
export class Conflict extends Error {
  constructor({ id }, why) {
    super(`${id} ${why}`)
  }
}

/** What can be done to an order. `url`: of the shop, as the service and the customer's browser reach it. */
export function openTill({ service, url }) {
  const notifyUrl = `${url}/webhooks`
  const underWay = new Set() // ids of requests that wait for their answer

  /** Requests a transaction. Its result comes by a notification; `learn` asks for it. */
  async function request(order, operation, members, send = service.send) {
    if (pendingOf(order).length > 0) throw new Conflict(order, 'waits for a result')
    const transaction = addTransaction(order, operation)
    const { id } = transaction
    underWay.add(id)
    try {
      const answer = await send(operation, { ...members, transactionRequestId: id, notifyUrl })
      if ('transactionAmount' in answer) note(order, answer) // the record: it was looked up
      return answer
    } catch (error) {
      if (isFinal(error)) noteNothing(order, transaction)
      throw error
    } finally {
      underWay.delete(id)
    }
  }

  /** Takes a payment; after one that failed, another one. */
  async function pay(order, operation, terminalSn) {
    const state = stateOf(order)
    if (!['open', 'declined', 'closed', 'pending'].includes(state)) throw new Conflict(order, `is ${state}`)
    await request(order, operation, {
      ...order.price,
      referenceOrderId: order.id,
      ...(terminalSn && { terminalSn }),
    })
  }

  /** Acts on the newest transaction of these types, once it is approved. */
  async function follow(order, types, operation, members) {
    const original = latestOf(order, types)
    if (original?.status !== 'S') throw new Conflict(order, `is ${stateOf(order)}`)
    await request(order, operation, { ...members, originalTransactionRequestId: original.id })
  }

  function refund(order, amount) {
    const isOnline = latestOf(order, charges)?.operation === 'createSession'
    return follow(order, charges, isOnline ? 'onlineRefund' : 'refund', { amount })
  }

  /** Takes the whole payment back: the same day it is voided, later refunded. */
  async function cancel(order) {
    try {
      await follow(order, charges, 'void')
    } catch (error) {
      if (!isRefused(error, codes.voidTooLate, codes.batchClosed)) throw error
      await refund(order, latestOf(order, charges).amount)
    }
  }

  async function adjustTip(order, tipAmount) {
    const payment = latestOf(order, charges)
    if (payment?.status !== 'S') throw new Conflict(order, `is ${stateOf(order)}`)
    await service.call('tipAdjust', { originalTransactionRequestId: payment.id, tipAmount })
    payment.amount = (await service.find(payment.id)).transactionAmount
  }

  /** Asks for the end of a payment. Accepted is not aborted: it may be approved all the same. */
  async function abort(order) {
    for (const { id } of pendingOf(order)) await service.call('abort', { originalTransactionRequestId: id })
  }

  /**
   * Opens a page where the customer pays, and returns its URL. When the answer is lost, nobody knows the page: it is
   * closed, and another one opened.
   */
  async function openPage(order) {
    const merchantReturnUrl = `${url}/orders/${order.id}/return`
    const members = { ...order.price, referenceOrderId: order.id, merchantReturnUrl }
    try {
      return (await request(order, 'createSession', members, service.call)).checkoutUrl
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error
      await closePage(order)
      return openPage(order)
    }
  }

  async function closePage(order) {
    const [transaction] = pendingOf(order)
    try {
      await service.call('expireSession', { transactionRequestId: transaction.id })
    } catch (error) {
      if (!isRefused(error, codes.noSession)) throw error // it was never opened
    }
    noteNothing(order, transaction)
  }

  /** Asks for the results that an order waits for: a notification may be lost, or late. */
  async function learn(order) {
    for (const transaction of pendingOf(order).filter(({ id }) => !underWay.has(id))) {
      const record = await service.find(transaction.id)
      if (record === undefined) noteNothing(order, transaction)
      else note(order, record)
    }
  }

  return { pay, follow, refund, cancel, adjustTip, abort, openPage, learn }
}
