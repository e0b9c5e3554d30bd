import { leftToRefund } from '../domain/model/parts.ts'
import type { Screen, Transaction } from '../domain/model/transaction.ts'

/** What an open payment waits for, by the screen of its terminal. */
const waitsFor: Readonly<Record<Screen, string>> = {
  waiting: 'Waiting in line',
  'present-card': 'Waiting for card',
  'insert-card': 'Waiting for card',
  tip: 'Waiting for tip',
  pin: 'Waiting for PIN',
  signature: 'Waiting for signature',
  processing: 'Processing',
  host: 'Waiting for host',
  done: 'Processing',
}

/**
 * Status of a transaction in words: `Approved`, `Declined`, `Closed`, `Voided`, `Captured`, `Refunded`, `Partially
 * refunded`, or what it waits for.
 */
export function statusInWords(transaction: Transaction): string {
  const { status, screen, online, followUps } = transaction
  if (status === 'FAIL') return 'Declined'
  if (status === 'CLOSED') return 'Closed'
  if (status !== 'SUCCESS')
    return online !== null && screen === 'waiting' ? 'Waiting for shopper' : waitsFor[screen]
  if (followUps === null) return 'Approved'
  if (followUps.voided) return 'Voided'
  if (followUps.refunded !== null) return leftToRefund(transaction) === 0 ? 'Refunded' : 'Partially refunded'
  return followUps.captured ? 'Captured' : 'Approved'
}
