import { displayGroup, type ReadState, stateInWords } from '../../contract/presentation/status.ts'
import type { Terminal } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { relatedStatusOf } from '../../domain/original-effects.ts'
import { capitalize } from '../../shared/text/words.ts'

const readableState = (transaction: Transaction): ReadState => ({
  ...transaction,
  relatedTransactionStatus: relatedStatusOf(transaction),
  isOnline: transaction.online !== null,
})

/** State of a transaction in words, with a capital: `Approved`, `Partially refunded`, `Waiting for card`. */
export const statusInWords = (transaction: Transaction): string =>
  capitalize(stateInWords(readableState(transaction)))

/** The group that it looks like, and whether a part of it was given back. */
export function statusDisplay(transaction: Transaction) {
  const state = readableState(transaction)
  return { group: displayGroup(state), isPart: state.relatedTransactionStatus === 'PART_REFUNDED' }
}

/** Default behaviour of a terminal, in words: the fixture's, or after a change its settings. */
export const terminalSummary = ({ asGiven, profile }: Pick<Terminal, 'asGiven' | 'profile'>): string =>
  asGiven === false ? settingsInWords(profile) : profile.summary

/** `outcome insufficient-funds, adds a tip of 20 %`; without such settings, its mode. */
export function settingsInWords(profile: Omit<Terminal['profile'], 'summary'>): string {
  const { mode, outcome, cancels, occupied, online, tipPercent, card, pace } = profile
  const acts = mode === 'attended' ? ['needs manual or scripted input'] : []
  const decides = [
    ...(occupied ? ['refuses every payment, as a device in use'] : []),
    ...(online === false ? ['is offline: payments wait, and close at expiry'] : []),
    ...(cancels ? ['the customer cancels on the device'] : []),
    ...(outcome === undefined ? [] : [`outcome ${outcome}`]),
  ]
  const more = [
    ...(tipPercent === undefined ? [] : [`adds a tip of ${tipPercent} %`]),
    ...(card === undefined ? [] : [`reads ${card}`]),
    ...(pace === undefined ? [] : [`shows each screen for ${pace} ms`]),
  ]
  const first = [...acts, ...decides]
  return [...(first.length === 0 ? ['auto-approves'] : first), ...more].join(', ')
}
