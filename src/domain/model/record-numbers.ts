import { largestNumber } from './kinds.ts'
import type { Transaction } from './transaction.ts'

/** The numbers of a transaction as the record writes them. assumption: identifiers */

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** The next trace or voucher number: after the largest comes 1. */
export const numberAfter = (last: number): number => (last % largestNumber) + 1

/** System trace number, ISO 8583 field 11: six digits. */
export const stanOf = ({ stan }: Transaction): string => digits(stan, 6)

/** Voucher number: six digits. */
export const voucherNoOf = ({ voucherNo }: Transaction): string => digits(voucherNo, 6)

/** Retrieval reference number, ISO 8583 field 37: last digit of the year, day, hour, trace number. */
export function rrnOf({ createdAt, stan }: Transaction): string {
  const date = new Date(createdAt)
  const year = date.getUTCFullYear()
  const day = Math.floor((createdAt - Date.UTC(year, 0, 1)) / 86_400_000) + 1
  return `${year % 10}${digits(day, 3)}${digits(date.getUTCHours(), 2)}${digits(stan, 6)}`
}
