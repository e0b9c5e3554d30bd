import type { Transaction } from '../../../domain/model/transaction.ts'

/** Why an outcome was what it was, in words. assumption: outcome-order */
export const reasons: Readonly<Record<NonNullable<Transaction['rule']>, string>> = {
  header: 'the request’s header X-Sandbox-Outcome decided',
  queue: 'an outcome queued on the terminal decided',
  person: 'the person at the terminal decided',
  terminal: 'the terminal always acts this way',
  amount: 'the order amount decided',
  card: 'the card decided',
  default: 'no rule applies',
  settled: 'its batch is closed',
}
