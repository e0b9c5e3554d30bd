import { limits } from '../contract/headers.ts'
import { cardReadOf } from './model/cards.ts'
import type { Ledger, RuleSettings, Terminal } from './model/ledger.ts'
import { momentsOf } from './model/timeline.ts'
import { amountOf, type Screen, type TipSuggestion, type Transaction } from './model/transaction.ts'

/** The order of a terminal's screens, with or without a person. */

/** A follow-up uses the card of its original; every other transaction asks for a card. assumption: follow-up-card */
export function firstScreen(transaction: Transaction, terminal: Terminal): Screen {
  if (transaction.originalId === null) return 'present-card'
  return asksTip(transaction, terminal) ? 'tip' : 'processing'
}

/** The screen after a card was read. `verification`: of the cardholder. */
export const screenAfterCard = (
  transaction: Transaction,
  terminal: Terminal,
  verification: string,
): Screen => (asksTip(transaction, terminal) ? 'tip' : screenAfterTip(verification))

/** The screen after a tip was chosen. */
export const screenAfterTip = (verification: string | undefined): Screen =>
  verification === 'PIN' || verification === 'OFFLINE_PIN' ? 'pin' : 'processing'

/** How the cardholder is verified; undefined for a follow-up, which presents no card. */
export const verificationOf = (
  ledger: Pick<Ledger, 'catalogue'>,
  transaction: Pick<Transaction, 'originalId' | 'card' | 'entry' | 'online' | 'instructions'>,
): string | undefined =>
  transaction.originalId === null ? cardReadOf(ledger, transaction)?.authenticationMethod : undefined

/** assumption: tip-screen */
function asksTip(transaction: Transaction, terminal: Terminal): boolean {
  const takesTip = transaction.type === 'SALE' || transaction.type === 'POST_AUTH'
  const wanted = transaction.instructions?.tip !== undefined || terminal.profile.tipPercent !== undefined
  return takesTip && transaction.tip === 0 && wanted
}

/** Percentages are rounded to this fraction of a percent. */
const percentStep = 10_000

/** The tip for a percentage in minor units, rounded half up and limited by `mostTip`. */
export function tipOf(transaction: Transaction, percent: number, rules: TipRules): number {
  const base = transaction.order + (transaction.instructions?.tip?.withTax ? transaction.tax : 0)
  const [share, whole] = [BigInt(Math.round(percent * percentStep)), BigInt(100 * percentStep)]
  return Math.min(Number((BigInt(base) * share + whole / 2n) / whole), mostTip(transaction, rules))
}

/** The settings that limit the tip of a capture. */
type TipRules = Pick<RuleSettings, 'captureTip'>

/** The maximum tip: limited by the maximum amount, and for a capture by its share. assumption: post-auth-limit */
export function mostTip(transaction: Transaction, { captureTip }: TipRules): number {
  const room = limits.amount - amountOf(transaction) + transaction.tip
  return transaction.type === 'POST_AUTH' ? Math.min(room, mostCaptureTip(transaction, captureTip)) : room
}

/** The maximum tip of a capture: a share of its order amount, in percent. assumption: post-auth-limit */
export const mostCaptureTip = ({ order }: Pick<Transaction, 'order'>, captureTip: number): number =>
  Math.floor((order * captureTip) / 100)

/** The default suggestions of a tip screen. */
const usualTips: readonly TipSuggestion[] = [{ percent: 15 }, { percent: 18 }, { percent: 20 }]

/** A tip that the screen offers. `tipAmount` in minor units. */
export interface TipChoice {
  readonly label: string
  readonly tipAmount: number
}

/** The choices of the tip screen: those of the request, otherwise the defaults. assumption: tip-screen */
export const tipChoices = (transaction: Transaction, rules: TipRules): TipChoice[] =>
  (transaction.instructions?.tip?.choices ?? usualTips).map(({ percent, amount, name }) => ({
    label: name ?? (percent === undefined ? '' : `${percent} %`),
    tipAmount:
      percent === undefined
        ? Math.min(amount ?? 0, mostTip(transaction, rules))
        : tipOf(transaction, percent, rules),
  }))

/** Most tries for a PIN; the last wrong one ends with 075. */
const mostPinTries = 3

/** Remaining tries for a PIN. */
export const pinTriesLeft = (transaction: Transaction): number =>
  mostPinTries - momentsOf(transaction).filter(({ what }) => what === 'pin-wrong').length

/** Screens that wait for a person when the terminal is attended. */
const personScreens: ReadonlySet<Screen> = new Set(['present-card', 'insert-card', 'tip', 'pin', 'signature'])

/** True for a screen that waits for a person when the terminal is attended. */
export const waitsForPerson = (screen: Screen): boolean => personScreens.has(screen)
