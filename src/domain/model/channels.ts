import { type ChannelCode, channels } from '../../contract/statuses.ts'
import { cardReadOf } from './cards.ts'
import type { Ledger } from './ledger.ts'
import type { Transaction } from './transaction.ts'

/** Settlement channel of a transaction, by its payment method. */
export function channelOf(ledger: Pick<Ledger, 'catalogue'>, transaction: Transaction): ChannelCode {
  if (transaction.channel !== undefined) return transaction.channel
  const read = cardReadOf(ledger, transaction)
  if (read?.cardNetworkType === 'EBT') return 'SBX-EBT'
  return read !== null && read.entryMode === null ? 'SBX-QR' : 'SBX-CARD'
}

const ordinal = (channelCode: string): number =>
  channels.findIndex((channel) => channel.channelCode === channelCode) + 1

/** The acquirer's id of a merchant on a channel: 15 digits. assumption: acquirer-ids */
export const midOf = (merchantId: string, channelCode: string): string =>
  `${merchantId.replace(/\D/g, '').padStart(13, '0').slice(-13)}${String(ordinal(channelCode)).padStart(2, '0')}`

/** The acquirer's id of a terminal on a channel: 8 digits. `index`: of the terminal among the merchant's, from 0. */
export const tidOf = (index: number, channelCode: string): string =>
  `${String(index + 1).padStart(6, '0')}${String(ordinal(channelCode)).padStart(2, '0')}`
