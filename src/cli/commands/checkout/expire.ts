import type { ExpiredAnswer } from '../../../contract/operations/checkout.ts'
import type { Profile } from '../../connection/profile.ts'
import { drawOriginal, operationCommand } from '../../operation/operation-command.ts'
import { clean } from '../../output/clean.ts'

const render = async (answer: ExpiredAnswer, profile: Profile) => {
  const { sessionId, transactionId }: Partial<ExpiredAnswer> = answer
  const original = await drawOriginal('expire-session', profile, answer, {
    originalTransactionId: transactionId,
  })
  return `Session ${clean(String(sessionId ?? ''))} is expired, and its transaction closed.\n\n${original}`
}

export default class CheckoutExpire extends operationCommand('expire-session', render) {
  static override examples = [
    'tillbox checkout expire cs_0f3a…',
    'tillbox checkout expire --transaction-request-id 5d3c… --json',
  ]
}
