import { operations } from '../../contract/operations.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { accept, moneyOf, refuseCashback } from './accept.ts'
import { instructionsOf } from './terminal/instructions.ts'

/** Sale, auth and forced auth open a transaction on a terminal. docs/api.md#operation-1-1, docs/api.md#operation-1-2, docs/api.md#operation-1-3, docs/api.md#ids-1 */
export function pay(
  ledger: Ledger,
  command: Request<'sale' | 'auth' | 'forced-auth'>,
  stamp: Stamp,
): readonly Event[] {
  const { type, input, outcome, fingerprint } = command
  const money = moneyOf(input)
  if (type === 'auth') refuseCashback(money)
  const draft = {
    kind: operations[type].opens,
    money,
    orderId: input.referenceOrderId ?? null,
    instructions: instructionsOf(input, money.tip, outcome),
    fingerprint,
    timeExpire: input.timeExpire,
  }
  return accept(ledger, input, draft, stamp)
}
