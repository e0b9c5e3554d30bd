import { LostAnswer } from 'tillbox'
import { addTransaction, Conflict, charges, forget, latestOf, note, pendingOf, stateOf } from './orders.js'
import { codes, isFinal, isRefused } from './service.js'

/** An order is not in the state that a request needs. */
const unfit = (order) =>
  new Conflict(`${order.id} ${pendingOf(order).length > 0 ? 'waits for a result' : `is ${stateOf(order)}`}`)

const unpaid = ['open', 'pending', 'declined', 'closed']

/** What can be done to an order. `url`: of the shop, as the service and the customer's browser reach it. */
export function openTill({ service, url }) {
  const notifyUrl = `${url}/webhooks`
  const underWay = new Set() // ids of requests that wait for their answer

  /** Requests a transaction. Its result comes by a notification; `learn` asks for it. */
  async function request(order, operation, members, send = service.send) {
    if (pendingOf(order).length > 0) throw unfit(order)
    const id = addTransaction(order, operation)
    underWay.add(id)
    try {
      const answer = await send(operation, { ...members, transactionRequestId: id, notifyUrl })
      if ('transactionAmount' in answer) note(order, answer) // the record: it was looked up
      return answer
    } catch (error) {
      if (isFinal(error)) forget(order, id)
      throw error
    } finally {
      underWay.delete(id)
    }
  }

  /** Takes a payment; after one that failed, another one. */
  async function pay(order, operation, { terminalSn }) {
    if (!unpaid.includes(stateOf(order))) throw unfit(order)
    const price = { ...order.price, referenceOrderId: order.id }
    await request(order, operation, { ...price, ...(terminalSn && { terminalSn }) })
  }

  /** Acts on the newest transaction of these types, once it is approved. */
  async function follow(order, types, operation, members) {
    const { id } = approved(order, types)
    await request(order, operation, { ...members, originalTransactionRequestId: id })
  }

  function approved(order, types) {
    const transaction = latestOf(order, types)
    if (transaction?.status !== 'S') throw unfit(order)
    return transaction
  }

  const raise = (order, amount) => follow(order, ['AUTH'], 'incrementalAuth', { amount })
  const capture = (order, amount) => follow(order, ['AUTH'], 'postAuth', { amount })

  async function refund(order, amount) {
    const isOnline = latestOf(order, charges)?.operation === 'createSession'
    await follow(order, charges, isOnline ? 'onlineRefund' : 'refund', { amount })
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

  /** The tip replaces the one before: after an error, ask for it again. */
  async function adjustTip(order, tipAmount) {
    const payment = approved(order, charges)
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
      const { checkoutUrl } = await request(order, 'createSession', members, service.call)
      return { checkoutUrl }
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error
      await closePage(order)
      return openPage(order)
    }
  }

  async function closePage(order) {
    const [session] = pendingOf(order)
    try {
      await service.call('expireSession', { transactionRequestId: session.id })
      session.status = 'C'
    } catch (error) {
      if (!isRefused(error, codes.noSession)) throw error
      forget(order, session.id) // it was never opened
    }
  }

  /** Asks for the results that an order waits for: a notification may be lost, or late. */
  async function learn(order) {
    for (const { id } of pendingOf(order).filter(({ id }) => !underWay.has(id))) {
      const record = await service.find(id)
      if (record === undefined) forget(order, id)
      else note(order, record)
    }
  }

  return { pay, raise, capture, refund, cancel, adjustTip, abort, openPage, learn }
}
