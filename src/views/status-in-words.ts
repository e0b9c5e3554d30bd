import type { Terminal } from '../domain/model/ledger.ts'
import type { Screen, Transaction } from '../domain/model/transaction.ts'
import { relatedStatusOf } from '../domain/original-effects.ts'

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
  if (followUps.refunded !== null)
    return relatedStatusOf(transaction) === 'REFUNDED' ? 'Refunded' : 'Partially refunded'
  return followUps.captured ? 'Captured' : 'Approved'
}

/** Default behaviour of a terminal, in words: the fixture's, or after a change its settings. */
export const terminalSummary = ({ asGiven, profile }: Pick<Terminal, 'asGiven' | 'profile'>): string =>
  asGiven === false ? settingsInWords(profile) : profile.summary

/** `outcome insufficient-funds, adds a tip of 20 %`; without such settings, its mode. */
export function settingsInWords(profile: Omit<Terminal['profile'], 'summary'>): string {
  const { mode, outcome, cancels, occupied, tipPercent, card, pace } = profile
  const acts = mode === 'attended' ? ['needs manual or scripted input'] : []
  const decides = [
    ...(occupied ? ['is always busy: refuses'] : []),
    ...(cancels ? ['cancels on the device'] : []),
    ...(outcome === undefined ? [] : [`outcome ${outcome}`]),
  ]
  const more = [
    ...(tipPercent === undefined ? [] : [`adds a tip of ${tipPercent} %`]),
    ...(card === undefined ? [] : [`reads ${card}`]),
    ...(pace === undefined ? [] : [`takes ${pace} ms a screen`]),
  ]
  const first = [...acts, ...decides]
  return [...(first.length === 0 ? ['auto-approves'] : first), ...more].join(', ')
}
