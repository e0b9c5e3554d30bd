import type { ExpiredAnswer } from '../../api/answers.ts'
import type { TransactionRecord } from '../../api/records.ts'
import type { Profile } from '../../cli/connection.ts'
import { operationCommand } from '../../cli/operation-command.ts'

export default class CheckoutExpire extends operationCommand('expire-session') {
  static override examples = [
    '<%= config.bin %> checkout expire cs_0f3a…',
    '<%= config.bin %> checkout expire --transaction-request-id 5d3c… --json',
  ]

  override async original(profile: Profile, data: object): Promise<TransactionRecord | undefined> {
    const { transactionId } = data as ExpiredAnswer
    return super.original(profile, { originalTransactionId: transactionId })
  }
}
