import type { Profile } from '../../cli/connection/profile.ts'
import { operationCommand } from '../../cli/operation/operation-command.ts'
import { clean } from '../../cli/output/clean.ts'
import type { ExpiredAnswer } from '../../contract/operations/checkout.ts'
import type { TransactionRecord } from '../../contract/records.ts'

export default class CheckoutExpire extends operationCommand('expire-session') {
  static override examples = [
    'tillbox checkout expire cs_0f3a…',
    'tillbox checkout expire --transaction-request-id 5d3c… --json',
  ]

  override async draw(data: object, profile: Profile): Promise<string> {
    const sessionId = clean(String((data as Partial<ExpiredAnswer>).sessionId ?? ''))
    return `Session ${sessionId} is expired, and its transaction closed.\n\n${await super.draw(data, profile)}`
  }

  override async original(profile: Profile, data: object): Promise<TransactionRecord | undefined> {
    const { transactionId } = data as ExpiredAnswer
    return super.original(profile, { originalTransactionId: transactionId })
  }
}
