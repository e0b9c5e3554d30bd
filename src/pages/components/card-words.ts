import { cardReadOf } from '../../domain/model/cards.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { networkName } from './network-names.ts'

/** `Visa ··1111`. */
export function cardInWords(ledger: Ledger, transaction: Transaction): string {
  const card = cardReadOf(ledger, transaction)
  if (card === null) return '–'
  const name = networkName(card.paymentMethod)
  return card.maskedPan === null ? name : `${name} ··${card.maskedPan.slice(-4)}`
}
