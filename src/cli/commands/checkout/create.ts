import { boolean } from '@oclif/core/flags'
import type { SessionAnswer } from '../../../contract/operations/checkout.ts'
import { operationCommand, type ParsedCommand } from '../../operation/operation-command.ts'

const render = async (answer: SessionAnswer) =>
  (await import('../../output/checkout-session.ts')).renderSession(answer)
const Base = operationCommand('create-session', render)

export default class CheckoutCreate extends Base {
  static override examples = [
    'tillbox checkout create --amount 24.90 --open',
    'tillbox checkout create --amount 10.00 --merchant-return-url http://localhost:3000/done --json',
    'tillbox checkout create --amount 9.00 --item Coffee:4.50x2',
  ]
  static override flags = {
    ...Base.flags,
    open: boolean({ description: 'Open the page in your browser.' }),
  }

  override async request(typed: ParsedCommand): Promise<object> {
    const answer = (await super.request(typed)) as SessionAnswer
    if (typed.flags.open === true) await (await import('../../browser.ts')).openInBrowser(answer.checkoutUrl)
    return answer
  }
}
