import type { Transaction } from '../../../domain/transaction.ts'

/** Why an outcome was what it was, in words. assumption: outcome-order */
export const reasons: Readonly<Record<NonNullable<Transaction['rule']>, string>> = {
  header: 'the request’s header X-Sandbox-Outcome decided',
  queue: 'an outcome queued on the terminal decided',
  person: 'the person at the terminal decided',
  terminal: 'the terminal’s own behaviour decided',
  amount: 'the order amount decided',
  card: 'the card decided',
  default: 'no rule decided otherwise',
  settled: 'its batch is closed already',
}
